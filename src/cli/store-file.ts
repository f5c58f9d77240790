// Which store a command works on.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
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

/** How the command line is called from a folder: in a checkout it runs from source. */
export function programFrom(folder: string): string {
  if (!import.meta.url.endsWith('.ts')) return 'reconverge';
  return `${relative(folder, join(import.meta.dirname, '../../scripts/dev'))} exec reconverge`;
}

/** `reconverge show ID`, with the store where it is not the one that would be found. */
export function commandLine(given: Given, ...words: readonly string[]): string {
  const store = given.text('store');
  return [programFrom('.'), ...words, ...(store === undefined ? [] : ['--store', store])].join(' ');
}
