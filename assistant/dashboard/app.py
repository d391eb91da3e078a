"""The dashboard's entry: what Streamlit runs."""

import streamlit as st

from assistant.dashboard import deal_texts, history_texts, live_texts, rules_texts, score_texts, texts
from assistant.dashboard.answers import keep_answers
from assistant.dashboard.deal_page import deal_page
from assistant.dashboard.dispute_page import dispute_page
from assistant.dashboard.hand_page import hand_page
from assistant.dashboard.history_page import history_page
from assistant.dashboard.language import _
from assistant.dashboard.language_switch import language_switch
from assistant.dashboard.live_page import live_page
from assistant.dashboard.rules_page import rules_page
from assistant.dashboard.score_page import score_page
from assistant.dashboard.widget_words import words_style

# Every page with the icon of its link: a page with an icon of its own would have browsers fetch that from Google, for the tab.
PAGES = {
    st.Page(hand_page, title=_(texts.HAND_PAGE), default=True): "grid_view",
    st.Page(live_page, title=_(live_texts.LIVE_PAGE), url_path=live_texts.LIVE_PATH): "videocam",
    st.Page(score_page, title=_(score_texts.SCORE_PAGE), url_path=score_texts.SCORE_PATH): "scoreboard",
    st.Page(deal_page, title=_(deal_texts.DEAL_PAGE), url_path=deal_texts.DEAL_PATH): "casino",
    st.Page(dispute_page, title=_(texts.DISPUTE_PAGE), url_path=texts.DISPUTE_PATH): "gavel",
    st.Page(history_page, title=_(history_texts.HISTORY_PAGE), url_path=history_texts.HISTORY_PATH): "history",
    st.Page(rules_page, title=_(rules_texts.RULES_PAGE), url_path=rules_texts.RULES_PATH): "menu_book",
}
keep_answers()
st.html(words_style())
page = st.navigation(list(PAGES), position="hidden")
st.set_page_config(page_title=f"{page.title} · {texts.NAME}", page_icon="🀄", layout="wide")
# Streamlit's own navigation is folded away on a phone
with st.container(horizontal=True, gap="small", vertical_alignment="center", key="pages"):
    for other, icon in PAGES.items():
        st.page_link(other, icon=f":material/{icon}:")
    language_switch()
page.run()
