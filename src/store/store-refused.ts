// A store that cannot be used: what is the matter with it and what to do. Nothing in it has been altered.

/** NOUN_PROBLEM; each is a row in docs/errors.md. */
export type StoreProblem =
  | 'STORE_LOCKED'
  | 'STORE_DAMAGED'
  | 'STORE_UNWRITABLE'
  | 'STORE_FULL'
  | 'STORE_FOREIGN'
  | 'STORE_NEWER';

const EXPLANATIONS: Readonly<Record<StoreProblem, { readonly problem: string; readonly hint: string }>> = {
  STORE_LOCKED: {
    problem: 'is locked by another process',
    hint: 'try again when the other process has finished writing, or choose another store',
  },
  STORE_DAMAGED: {
    problem: 'is damaged or not a store at all',
    hint: 'put back a copy of it (with its -wal file), or move it away and begin a new one; `reconverge doctor` says what is wrong',
  },
  STORE_UNWRITABLE: {
    problem: 'cannot be opened, read or written',
    hint: 'see that its folder exists and that you may write there, or choose another store',
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
};

export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
  readonly code: StoreProblem;
  readonly hint: string;

  constructor(code: StoreProblem, file: string, cause?: unknown) {
    super(`the store ${file} ${EXPLANATIONS[code].problem}`, { cause });
    this.code = code;
    this.hint = EXPLANATIONS[code].hint;
  }
}

/** SQLite's primary result codes, https://sqlite.org/rescode.html. */
const PROBLEMS: Readonly<Record<number, StoreProblem>> = {
  3: 'STORE_UNWRITABLE', // PERM
  5: 'STORE_LOCKED', // BUSY
  6: 'STORE_LOCKED', // LOCKED
  8: 'STORE_UNWRITABLE', // READONLY
  10: 'STORE_UNWRITABLE', // IOERR
  11: 'STORE_DAMAGED', // CORRUPT
  13: 'STORE_FULL', // FULL
  14: 'STORE_UNWRITABLE', // CANTOPEN
  26: 'STORE_DAMAGED', // NOTADB
};

/** What the driver threw, as a refusal of the store where it is one. */
export function asRefusal(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  const problem = problemOf(error);
  return problem === undefined ? error : new StoreRefused(problem, file, error);
}

/** SQLite's own word for it, or zlib's about bytes that cannot be inflated. */
function problemOf(error: Error): StoreProblem | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return PROBLEMS[error.errcode & 0xff];
  return 'code' in error && String(error.code).startsWith('Z_') ? 'STORE_DAMAGED' : undefined;
}

/** What `work` returns; a driver's error becomes a refusal of the store. */
export function refusing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asRefusal(error, file);
  }
}
