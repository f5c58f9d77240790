// The door for tests: suites that every implementation of a port runs.
export { journalSuite } from './journal-suite.ts';
