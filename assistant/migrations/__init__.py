"""Changes of the database's schema, run by `assistant.store` when a database is opened."""
