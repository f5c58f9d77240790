// Runs a test in a temporary folder, which is removed afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
