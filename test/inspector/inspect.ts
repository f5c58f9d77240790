// The inspector served over a folder, with its page built, for tests that look at it in a browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { builtPage } from '../../src/inspector/server/built-page.ts';
import { readPageFiles } from '../../src/inspector/server/page-files.ts';
import { begin, type Running } from '../cli/reconverge.ts';
import { patience } from '../patience.ts';
import { openPage } from './browser.ts';
import { type Served, served } from './served.ts';

interface Shown {
  readonly url: string;
  readonly process: Running;
}

/** `reconverge ui` of a folder, as a process of its own. */
export async function inspect(cwd: string, port = '0'): Promise<Shown> {
  const process = begin(['ui', '--port', port, '--json'], { cwd });
  onTestFinished(async () => {
    process.child.kill('SIGTERM');
    await process.ended;
  });
  let said = '';
  process.child.stdout?.on('data', (text: string) => {
    said += text;
  });
  await vi.waitFor(() => expect(said).toContain('\n'), patience);
  return { url: JSON.parse(said).url, process };
}

/** The same in this process, for what does not hang on processes. */
export async function serveHere(cwd: string): Promise<Served> {
  return served(readPageFiles(await builtPage(() => undefined)), cwd);
}

export async function inspectHere(cwd: string): Promise<Page> {
  return openPage((await serveHere(cwd)).url);
}

export function inPage(script: string): string {
  return readFileSync(join(import.meta.dirname, `in-page/${script}.js`), 'utf8');
}
