// Serves the inspector with its built page over a folder, for tests in a browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { builtPage } from '../../src/inspector/server/built-page.ts';
import { readPageFiles } from '../../src/inspector/server/page-files.ts';
import { begin, type Running } from '../cli/reconverge.ts';
import { patience } from '../patience.ts';
import { openPage } from './browser.ts';
import { served, type TestServer } from './served.ts';

interface Shown {
  readonly url: string;
  readonly process: Running;
}

/** Runs `reconverge ui` for a folder in a separate process. */
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

/** Serves the inspector in this process, for tests that do not depend on processes. */
export async function serveHere(cwd: string): Promise<TestServer> {
  return served(readPageFiles(await builtPage(() => undefined)), cwd);
}

export async function inspectHere(cwd: string): Promise<Page> {
  return openPage((await serveHere(cwd)).url);
}

export function inPage(script: string): string {
  return readFileSync(join(import.meta.dirname, `in-page/${script}.js`), 'utf8');
}
