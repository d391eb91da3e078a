"""Changes of the database's schema, run by `assistant.database` when a database is opened."""
