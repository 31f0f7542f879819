"""Run by Alembic: brings the schema of the connection that it is handed up to date."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
