// A folder of its own for each test that needs a store in a file, gone afterwards.
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
