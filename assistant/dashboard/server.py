"""What Streamlit serves: the pages, in a frame of our own, and beside them the live stream, photos, and what pages look at again."""

from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route, WebSocketRoute
from streamlit.starlette import App

from assistant.dashboard.deal_texts import DEAL_PATH
from assistant.dashboard.glance import PATH as GLANCE_PATH
from assistant.dashboard.glance import seen_now
from assistant.dashboard.history_texts import HISTORY_PATH
from assistant.dashboard.live import PATH as STREAM_PATH
from assistant.dashboard.live import stream
from assistant.dashboard.live_texts import LIVE_PATH
from assistant.dashboard.page_frame import framed_page
from assistant.dashboard.photo import PATH as PHOTO_PATH
from assistant.dashboard.photo import offered_photo
from assistant.dashboard.rules_texts import RULES_PATH
from assistant.dashboard.score_texts import SCORE_PATH
from assistant.dashboard.texts import DISPUTE_PATH

PAGE_PATHS = ("", LIVE_PATH, SCORE_PATH, DEAL_PATH, DISPUTE_PATH, HISTORY_PATH, RULES_PATH)


class _PageConvertor(StringConvertor):
    """Part of an address that a page may have, and no file or endpoint of Streamlit has."""

    regex = "[^/._][^/.]*"


register_url_convertor("page", _PageConvertor())


async def elsewhere(request: Request) -> RedirectResponse:
    """Leads from an address without a page to the page that it means, or to the first.

    Streamlit would send it without our frame, and so without the device's token, and open a dialog of its own.
    """
    meant = request.path_params["path"].lower()
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/{meant}{query}" if meant in PAGE_PATHS else "/")


app = App(
    "app.py",
    routes=[
        WebSocketRoute(STREAM_PATH, stream),
        Route(f"{GLANCE_PATH}/{{token}}", seen_now),
        Route(f"{PHOTO_PATH}/{{key}}", offered_photo),
        *(Route(f"/{path}", framed_page) for path in PAGE_PATHS),
        Route("/{path:page}", elsewhere),
    ],
)
