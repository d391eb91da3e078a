"""The dashboard's entry: what Streamlit runs."""

import streamlit as st

from assistant.dashboard import texts
from assistant.dashboard.hand_page import hand_page

st.set_page_config(page_title=texts.NAME, page_icon="🀄", layout="wide")
st.navigation([st.Page(hand_page, title=texts.HAND_PAGE, default=True)], position="hidden").run()
