// A store that cannot be used: the problem with it and the remedy. Nothing in it has been altered.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Issue, issue } from '../base/issue.ts';
import { TextAltered } from './packed-text.ts';

/** NOUN_PROBLEM; docs/errors.md has a row for each. */
export type StoreProblem =
  | 'STORE_LOCKED'
  | 'STORE_DAMAGED'
  | 'STORE_NOT_DATABASE'
  | 'STORE_UNWRITABLE'
  | 'STORE_READ_ONLY'
  | 'STORE_FORBIDDEN'
  | 'STORE_FULL'
  | 'STORE_FOREIGN'
  | 'STORE_NEWER'
  | 'STORE_OLDER'
  | 'STORE_UNREACHABLE';

const EXPLANATIONS: Readonly<Record<StoreProblem, { readonly problem: string; readonly hint: string }>> = {
  STORE_LOCKED: {
    problem: 'is locked by another process',
    hint: 'try again when the other process has finished writing, or choose another store',
  },
  STORE_DAMAGED: {
    problem: 'is damaged',
    hint: 'put back a copy of it (with its -wal file), or move it away and begin a new one; `reconverge doctor` says what is wrong',
  },
  STORE_NOT_DATABASE: {
    problem: 'is not a SQLite database',
    hint: 'name the file of a store; if this file was one, its beginning is damaged: put back a copy of it, or move it away and begin a new one',
  },
  STORE_UNWRITABLE: {
    problem: 'cannot be opened, read or written',
    hint: 'check that its folder exists and that you may write there, or choose another store',
  },
  STORE_READ_ONLY: {
    problem: 'can be read, but not written',
    hint: 'use commands that only read (runs, show, why, graph, budget, trace, gates, diff, replay, stats, ui); to write, make the file and its folder writable, or copy it (with its -wal file) and name the copy with --store',
  },
  STORE_FORBIDDEN: {
    problem: 'is not yours to open: permission denied',
    hint: 'ask its owner for a copy, change the permissions of the file and its folder, or choose another store',
  },
  STORE_FULL: {
    problem: 'cannot grow: its disk is full',
    hint: 'make room on the disk, then resume; nothing that was committed is lost',
  },
  STORE_FOREIGN: {
    problem: 'is a database of another program',
    hint: 'choose another file for the store',
  },
  STORE_NEWER: {
    problem: 'was written by a newer version of this program',
    hint: 'use that version or a later one, or choose another store',
  },
  STORE_OLDER: {
    problem: 'was made by an older version of this program',
    hint: 'bring it up to date when no process of the older version uses it any more: reconverge migrate --store ADDRESS',
  },
  STORE_UNREACHABLE: {
    problem: 'cannot be reached',
    hint: 'check the address, and that the server runs and has this database; runs go on when it is back',
  },
};

export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
  readonly code: StoreProblem;
  readonly hint: string;

  constructor(code: StoreProblem, file: string, cause?: unknown, reason?: string) {
    super(`the store ${file} ${EXPLANATIONS[code].problem}${reason === undefined ? '' : `: ${reason}`}`, { cause });
    this.code = code;
    this.hint = EXPLANATIONS[code].hint;
  }
}

/** The refusal as an issue, for people. */
export function storeIssue({ code, message, hint }: StoreRefused): Issue {
  return issue(code, message, { hint });
}

/** SQLite's primary result codes, https://sqlite.org/rescode.html. Codes for wrong use of the driver are faults. */
const PROBLEMS: Readonly<Record<number, StoreProblem>> = {
  1: 'STORE_DAMAGED', // ERROR: the statements are constant, so a table or a column is missing
  3: 'STORE_FORBIDDEN', // PERM
  5: 'STORE_LOCKED', // BUSY
  6: 'STORE_LOCKED', // LOCKED
  7: 'STORE_UNWRITABLE', // NOMEM
  8: 'STORE_READ_ONLY', // READONLY
  10: 'STORE_UNWRITABLE', // IOERR
  11: 'STORE_DAMAGED', // CORRUPT
  13: 'STORE_FULL', // FULL
  14: 'STORE_UNWRITABLE', // CANTOPEN
  15: 'STORE_LOCKED', // PROTOCOL
  17: 'STORE_DAMAGED', // SCHEMA
  20: 'STORE_DAMAGED', // MISMATCH
  22: 'STORE_UNWRITABLE', // NOLFS
  23: 'STORE_FORBIDDEN', // AUTH
  26: 'STORE_NOT_DATABASE', // NOTADB
};

const CANNOT_OPEN = 14;
/** SQLITE_READONLY_DBMOVED. */
const MOVED = 1032;

/** Turns an error of the driver into a refusal of the store; returns any other error unchanged. */
export function asRefusal(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreRefused) return error;
  if ('errcode' in error && typeof error.errcode === 'number') return refusalOfSqlite(error, error.errcode, file);
  if (error instanceof TextAltered) return new StoreRefused('STORE_DAMAGED', file, error, error.message);
  // zlib throws this for bytes that it cannot inflate.
  return 'code' in error && String(error.code).startsWith('Z_')
    ? new StoreRefused('STORE_DAMAGED', file, error)
    : error;
}

function refusalOfSqlite(error: Error, errcode: number, file: string): unknown {
  const problem = PROBLEMS[errcode & 0xff];
  if (problem === undefined) return error;
  if ((errcode & 0xff) === CANNOT_OPEN) return refusalOfPath(error, file);
  if (errcode === MOVED)
    return new StoreRefused('STORE_UNWRITABLE', file, error, 'it was moved or deleted while it was open');
  return new StoreRefused(problem, file, error);
}

/** SQLite does not tell why it cannot open a file, but the file system does. */
function refusalOfPath(error: Error, file: string): StoreRefused {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) {
    return refusalOfFile(errorOf(() => accessSync(dirname(file), constants.W_OK)) ?? error, file);
  }
  if (errorOf(() => accessSync(file, constants.R_OK)) !== undefined) {
    return new StoreRefused('STORE_FORBIDDEN', file, error);
  }
  const unwritable = [file, dirname(file)].some(
    (each) => errorOf(() => accessSync(each, constants.W_OK)) !== undefined,
  );
  return new StoreRefused(unwritable ? 'STORE_READ_ONLY' : 'STORE_UNWRITABLE', file, error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'a part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links go in a circle',
};

const FILE_PROBLEMS: Readonly<Record<string, StoreProblem>> = {
  EACCES: 'STORE_FORBIDDEN',
  EPERM: 'STORE_FORBIDDEN',
  EROFS: 'STORE_READ_ONLY',
  ENOSPC: 'STORE_FULL',
  EDQUOT: 'STORE_FULL',
};

/** Turns an error of the file system into a refusal of the store. */
export function refusalOfFile(error: unknown, file: string): StoreRefused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new StoreRefused(FILE_PROBLEMS[code] ?? 'STORE_UNWRITABLE', file, error, REASONS[code]);
}

function errorOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Returns the result of `work`, and turns an error of the driver into a refusal of the store. */
export function refusing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asRefusal(error, file);
  }
}
