// A temporary folder for the stores of one bench.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  /** The path of a new store. */
  file(): string;
  /** Bytes of a closed store with the files beside it. */
  bytes(file: string): number;
  remove(): void;
}

export function scratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-bench-'));
  let count = 0;
  return {
    file: () => join(folder, `${++count}.db`),
    bytes: (file) =>
      ['', '-wal'].reduce((sum, ending) => sum + (statSync(file + ending, { throwIfNoEntry: false })?.size ?? 0), 0),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
