// Which store a command works on.
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installation, isCheckout } from '../capabilities/installation.ts';
import type { Flag, Given } from './command.ts';

export const storeFlag: Flag = {
  name: '--store <file>',
  description: 'The SQLite file with the runs; RECONVERGE_STORE, else .reconverge/runs.db in this folder.',
};

export function storeFile(given: Given): string {
  return given.text('store') ?? process.env.RECONVERGE_STORE ?? join('.reconverge', 'runs.db');
}

/** An empty file is no store yet. */
export function storeExists(given: Given): boolean {
  return (statSync(storeFile(given), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** How the command line is called from a folder: in a checkout it runs from source. */
export function programFrom(folder: string): string {
  if (!isCheckout) return 'reconverge';
  return `${relative(folder, fileURLToPath(new URL('scripts/dev', installation)))} exec reconverge`;
}

/** The commands that take `--store`, and those that do not. */
const onStore: readonly string[] = [
  'run',
  'pursue',
  'plan run',
  'runs',
  'stats',
  'show',
  'why',
  'graph',
  'budget',
  'trace',
  'gates',
  'review',
  'resume',
  'fork',
  'diff',
  'replay',
  'cancel',
  'pause',
  'resolve-step',
  'retry-step',
  'raise-budget',
  'ui',
  'mcp',
  'doctor',
];
const elsewhere: readonly string[] = [
  'init',
  'validate',
  'explain',
  'dry-run',
  'plan review',
  'lock',
  'test',
  'capabilities',
  'contract',
  'lisp',
  'completion',
  'schema',
  'completion',
];

const COMMAND = new RegExp(`\\breconverge (${[...onStore, ...elsewhere].join('|')})\\b`, 'g');

/** A hint, each command in it as it is called here: `reconverge show ID` from source, and with the store that was given. */
export function asCalled(given: Given, text: string): string {
  return text.replaceAll(COMMAND, (_, name: string) => commandLine(given, name));
}

/** What goes on with a run goes on with its recording. */
const played: readonly string[] = ['review', 'resume', 'resolve-step', 'retry-step', 'raise-budget'];

/** `reconverge show ID`, with the store where it is not the one that would be found. */
export function commandLine(given: Given, ...words: readonly string[]): string {
  const store = given.text('store');
  const [name = '', ...rest] = words;
  const where = store !== undefined && onStore.includes(name) ? ['--store', shellWord(store)] : [];
  const replay = given.text('replay');
  const tape = replay !== undefined && played.includes(name) ? ['--replay', shellWord(replay)] : [];
  return [programFrom('.'), name, ...where, ...tape, ...rest].join(' ');
}

export function shellWord(text: string): string {
  return /^[\w./@:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
