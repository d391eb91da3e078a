"""What Alembic runs: all changes that the database lacks, on the connection that `assistant.database` gives it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
