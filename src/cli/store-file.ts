// Finds the store that a command uses.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isPostgresAddress, shownAddress } from '../store/store-address.ts';
import type { Flag, ParsedArguments } from './command.ts';
import { programFrom } from './program.ts';

const DEFAULT = join('.reconverge', 'runs.db');

export const storeFlag: Flag = {
  name: '--store <store>',
  description:
    'The SQLite file of the runs, or a PostgreSQL database (postgres://…); by default RECONVERGE_STORE, or .reconverge/runs.db in this folder.',
};

export function storeFile(given: ParsedArguments): string {
  return given.text('store') ?? process.env.RECONVERGE_STORE ?? DEFAULT;
}

/** The store as people may see it, without a password. */
export function storeName(given: ParsedArguments): string {
  return shownAddress(storeFile(given));
}

/** The SQLite file of the store, or the place beside which this folder keeps what belongs to no database. */
export function localStore(given: ParsedArguments): string {
  const store = storeFile(given);
  return isPostgresAddress(store) ? DEFAULT : store;
}

/** An empty file does not count as a store. Only opening a database tells whether it has one. */
export function storeExists(given: ParsedArguments): boolean {
  if (isPostgresAddress(storeFile(given))) return true;
  return (statSync(storeFile(given), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Rewrites the commands in a hint for this call: with the words that call the command line here, and with the given store. */
export function asCalled(given: ParsedArguments, text: string): string {
  // Longer names come first: `mcp tools` before `mcp`.
  const names = given.commands.map(({ name }) => name).sort((one, other) => other.length - one.length);
  const command = new RegExp(`\\breconverge (${names.join('|')})\\b`, 'g');
  return text.replaceAll(command, (_, name: string) => commandLine(given, name));
}

/** Builds a command line such as `reconverge show ID`, with the flags that the command carries over from this call. */
export function commandLine(given: ParsedArguments, ...words: readonly string[]): string {
  const [name = '', ...rest] = words;
  const carried = given.commands.find((each) => each.name === name)?.carries ?? [];
  const flags = carried.flatMap((flag) => {
    const value = given.text(flag);
    return value === undefined ? [] : [`--${flag}`, shellWord(flag === 'store' ? shownAddress(value) : value)];
  });
  return [programFrom('.'), name, ...flags, ...rest].join(' ');
}

export function shellWord(text: string): string {
  return /^[\w./@:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
