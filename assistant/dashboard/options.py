"""How Streamlit is set up for the dashboard: warm and calm, in light and in dark."""

from __future__ import annotations

STREAMLIT_OPTIONS: dict[str, str] = {
    "runner.fastReruns": "false",  # of two runs side by side, the end of one would wipe out the tap that began the other
    "global.minCachedMessageSize": "1e12",  # none: a browser may have just forgotten what it said it keeps, and then the page dies
    "global.disableWidgetStateDuplicationWarning": "true",  # what was answered before goes before what a widget offers
    "server.fileWatcherType": "none",
    "server.enableWebsocketCompression": "true",  # a tap brings every board's style and script anew: a third, on a slow network
    "server.maxUploadSize": "80",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
    "theme.baseRadius": "medium",
    "theme.light.primaryColor": "#a8481a",
    "theme.light.backgroundColor": "#fbf7ef",
    "theme.light.secondaryBackgroundColor": "#f1e9da",
    "theme.light.textColor": "#2e2620",
    "theme.light.linkColor": "#8a3a14",
    "theme.dark.primaryColor": "#e08a52",
    "theme.dark.backgroundColor": "#1c1815",
    "theme.dark.secondaryBackgroundColor": "#2a2420",
    "theme.dark.textColor": "#f1e8dc",
    "theme.dark.linkColor": "#f0a06a",
}
"""Options of `streamlit run`, by name."""
