"""The only room with SQL: one encrypted SQLite file, its schema and what is asked of it."""
