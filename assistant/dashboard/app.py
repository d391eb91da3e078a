"""The dashboard's entry: what Streamlit runs."""

import streamlit as st

from assistant.dashboard.hand_page import hand_page

st.set_page_config(page_title="istaka", page_icon="🀄", layout="wide")
st.navigation([st.Page(hand_page, title="Hand", default=True)], position="hidden").run()
