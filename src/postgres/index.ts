// reconverge/postgres: a store in PostgreSQL.

export { openPostgresJournal, type PostgresJournalOptions } from './journal/postgres-journal.ts';
