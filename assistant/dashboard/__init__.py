"""The dashboard: Streamlit pages over the reader and the judge."""
