// Which store a command works on.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Flag, Given } from './command.ts';

export const storeFlag: Flag = {
  name: '--store <file>',
  description: 'The SQLite file with the runs; RECONVERGE_STORE, else .reconverge/runs.db in this folder.',
};

export function storeFile(given: Given): string {
  return given.text('store') ?? process.env.RECONVERGE_STORE ?? join('.reconverge', 'runs.db');
}

export function storeExists(given: Given): boolean {
  return existsSync(storeFile(given));
}

/** How the command line is called here: in a checkout it runs from source. */
const program = import.meta.url.endsWith('.ts') ? 'scripts/dev exec reconverge' : 'reconverge';

/** `reconverge show ID`, with the store where it is not the one that would be found. */
export function commandLine(given: Given, ...words: readonly string[]): string {
  const store = given.text('store');
  return [program, ...words, ...(store === undefined ? [] : ['--store', store])].join(' ');
}
