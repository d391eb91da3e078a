"""What Streamlit serves: the pages, in a frame of our own, and beside them the live stream, photos, and what pages look at again."""

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
app = App(
    "app.py",
    routes=[
        WebSocketRoute(STREAM_PATH, stream),
        Route(f"{GLANCE_PATH}/{{token}}", seen_now),
        Route(f"{PHOTO_PATH}/{{key}}", offered_photo),
        *(Route(f"/{path}", framed_page) for path in PAGE_PATHS),
    ],
)
