// A real Chromium for tests of the page; without a browser these tests are skipped visibly.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { patience } from '../patience.ts';

/** The variable CHROMIUM, then the usual places on each system. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const chromiumPath = places.find((path) => path !== undefined && existsSync(path));

if (chromiumPath === undefined) {
  process.stderr.write(
    'The page of the inspector is NOT tested: there is no Chromium. Install one, or name it with CHROMIUM.\n',
  );
}

const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync', 'dev-shm-usage'].map(
  (what) => `--disable-${what}`,
);

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--no-first-run', ...quiet] });
}

let browser: Browser | undefined;

/** One browser for all tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (chromiumPath !== undefined) browser = await launch(chromiumPath);
  });
  afterAll(() => browser?.close());
}

/** A page that must not write to its console nor fetch from other hosts; with `away` its server may be unreachable for a while. */
export async function openPage(url: string, { away = false, dark = false } = {}): Promise<Page> {
  if (browser === undefined) throw new Error('there is no browser');
  const context = await browser.newContext({
    viewport: { width: 1360, height: 820 },
    colorScheme: dark ? 'dark' : 'light',
  });
  context.setDefaultTimeout(patience.timeout);
  const page = await context.newPage();
  const wrong: string[] = [];
  const { origin } = new URL(url);
  page.on('pageerror', (error) => wrong.push(String(error.stack)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !away) wrong.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      wrong.push(`asks for ${request.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(url);
  return page;
}

/** The card or cell of a step, or the header or block of the phase that it plans. */
export function card(page: Page, id: string, status?: string) {
  const state = status === undefined ? '[data-status]' : `[data-status="${status}"]`;
  return page.locator(`[data-card="${id}"]${state}, [data-phase="${id}"]${state}`);
}
