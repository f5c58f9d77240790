// Text that a thread prints goes where the main thread's console goes: the command line keeps standard output for its answer.
import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';

export function relayOutput({ stdout, stderr }: Worker): void {
  createInterface({ input: stdout }).on('line', (line) => console.log('%s', line));
  createInterface({ input: stderr }).on('line', (line) => console.error('%s', line));
}
