"""What Streamlit serves: the pages, and beside them the live stream."""

from starlette.routing import WebSocketRoute
from streamlit.starlette import App

from assistant.dashboard.live import PATH, stream

app = App("app.py", routes=[WebSocketRoute(PATH, stream)])
