// Opens the inspector over a store in a real Chromium; the server has a process of its own, as a user's has.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createEngine } from '../../src/runtime/create-engine.ts';

export type Theme = 'light' | 'dark';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const DESK: Size = { width: 1360, height: 820 };
export const PHONE: Size = { width: 390, height: 844 };

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** `source` is the folder of a checkout; by default this one. */
export async function serveStore(store: string, source = join(import.meta.dirname, '../..')): Promise<Served> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(source, 'src/cli/main.ts'), 'ui', '--store', store, '--port', '0', '--json'],
    { cwd: source, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  while (!said.includes('\n')) {
    if (child.stdout === null || child.exitCode !== null) throw new Error(`the inspector did not start: ${said}`);
    const [text] = await once(child.stdout, 'data');
    said += String(text);
  }
  const { url } = JSON.parse(said) as { url?: string };
  if (url === undefined) throw new Error(`the inspector did not start: ${said}`);
  const kill = (): boolean => child.kill('SIGTERM');
  process.once('exit', kill);
  return {
    url,
    async close() {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}

/** The id of the newest run in a store. */
export async function latestRun(store: string): Promise<string> {
  const engine = createEngine({ store, access: 'any' });
  const [first] = engine.runs();
  await engine.close();
  if (first === undefined) throw new Error(`there is no run in ${store}`);
  return first.id;
}

export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--js-flags=--expose-gc'],
  });
}

export async function openAt(browser: Browser, url: string, theme: Theme = 'light', size = DESK): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...(size === PHONE ? { hasTouch: true, isMobile: true } : {}),
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.addInitScript(firstPicture);
  await page.goto(url);
  return page;
}

/** Waits until nothing in the page has changed for some frames. */
export async function isStill(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let quiet = 0;
    const watching = new MutationObserver(() => { quiet = 0; });
    watching.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const end = performance.now() + 20000;
    (function tick() {
      quiet += 1;
      if (/^(loading|laying out|listening).*…$/m.test(document.body.innerText)) quiet = 0;
      if (quiet > 25 || performance.now() > end) { watching.disconnect(); resolve(true); } else requestAnimationFrame(tick);
    })();
  })`);
}

/** Notes the moment at which the first step or phase of the graph, row of the timeline, or run of the list was painted. */
const firstPicture = `{
  globalThis.pictured = Promise.withResolvers();
  const marks = '[data-card], [data-phase], [data-row], [data-run]';
  const watching = new MutationObserver(() => {
    if (document.querySelector('main ' + marks.replaceAll(', ', ', main ')) === null) return;
    watching.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.pictured.resolve(performance.now()); }));
  });
  watching.observe(document, { subtree: true, childList: true });
}`;
