"""What a browser remembers, and where it sends it."""

from __future__ import annotations

import pytest

from assistant.dashboard.remember import JS

playwright = pytest.importorskip("playwright.sync_api", reason="the browser test needs playwright: pip install '.[test]'")


@pytest.mark.parametrize(("scheme", "secure"), [("https", True), ("http", False)])
def test_what_was_remembered_on_an_encrypted_page_is_sent_encrypted_alone(browser: playwright.Browser, scheme: str, secure: bool) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/*", lambda route: route.fulfill(body="<p>a page</p>", content_type="text/html"))
    page.goto(f"{scheme}://tea-house.test/")
    page.evaluate(f"() => {{ const data = {{ cookie: 'pins', value: '1' }}; ({JS.replace('export default', '')})({{ data }}) }}")
    (cookie,) = context.cookies()
    assert (cookie["name"], cookie["value"], cookie["secure"]) == ("pins", "1", secure)
    context.close()
