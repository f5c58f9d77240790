// Makes the pictures of docs/: runs templates, serves the inspector, and takes screenshots with a real Chromium.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { builtPage } from '../src/inspector/server/built-page.ts';
import { readPageFiles } from '../src/inspector/server/page-files.ts';
import { serve } from '../src/inspector/server/serve.ts';
import { createEngine } from '../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../src/store/sqlite-journal.ts';
import { palettePng, readPng } from '../test/inspector/readability/png.ts';
import { tracePage } from './trace-page.ts';

const root = join(import.meta.dirname, '..');
const pictures = join(root, 'docs/pictures');
const size = { width: 1280, height: 760 };

interface Picture {
  readonly name: string;
  /** The template of the run. */
  readonly of: string;
  /** The part of the address after the run. */
  readonly place?: string;
  readonly dark?: true;
  readonly before?: (page: Page) => Promise<void>;
}

const all: readonly Picture[] = [
  { name: 'inspector', of: 'recon-then-execute', place: '&step=plan_execution' },
  { name: 'inspector-gate', of: 'review-then-publish', place: '&gate=g1' },
  {
    name: 'inspector-prompt',
    of: 'research-and-compare',
    place: '&step=plan_research',
    async before(page) {
      await page.getByRole('tab', { name: /^attempts/ }).click();
      await page.locator('.attempts summary').first().click();
      await page.locator('.message').first().waitFor();
    },
  },
  {
    name: 'inspector-fork',
    of: 'recon-then-execute',
    place: '&at=25',
    before: (page) => page.getByRole('button', { name: 'fork …' }).click(),
  },
  { name: 'inspector-changes', of: 'research-and-compare', place: '&view=changes', dark: true },
];

/** A run that fails or waits is shown too. */
async function reconverge(cwd: string, ...words: readonly string[]): Promise<void> {
  const calling = [join(root, 'src/cli/main.ts'), ...words];
  await promisify(execFile)(process.execPath, calling, { cwd }).catch(() => undefined);
}

const folder = mkdtempSync(join(tmpdir(), 'reconverge-pictures-'));
cpSync(join(root, 'templates'), join(folder, 'templates'), { recursive: true });
const folders = { 'recon-then-execute': 'shop', 'replan-what-failed': 'branches', 'review-then-publish': 'shop' };
for (const [name, data] of Object.entries(folders)) {
  await reconverge(folder, 'run', `templates/${name}.yaml`, '--input', `folder=templates/data/${data}`);
}
const research = ['run', 'templates/research-and-compare.yaml'];
const played = ['--replay', 'templates/cassettes/research-and-compare.json'];
await reconverge(folder, ...research, ...played);

const engine = createEngine({ folder });
const journal = openSqliteJournal(join(folder, '.reconverge/runs.db'));
const files = readPageFiles(await builtPage(() => undefined));
const serving = await serve({ engine, journal, files, token: 'pictures', ports: [0], by: 'ann' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
mkdirSync(pictures, { recursive: true });
for (const { name, of, place = '', dark, before } of all) {
  const page = await browser.newPage({ viewport: size, colorScheme: dark ? 'dark' : 'light' });
  const meant = engine.runs().find(({ template }) => template === of);
  await page.goto(`${serving?.url}#run=${meant?.id}${place}`);
  await page.locator('.run-head').waitFor();
  await before?.(page);
  // Animations have ended by then.
  await page.waitForTimeout(700);
  writeFileSync(join(pictures, `${name}.png`), palettePng(readPng(await page.screenshot())));
  await page.close();
}
// Gates are answered at once, because waiting for a person would dominate the picture.
await reconverge(folder, ...research, ...played);
await reconverge(folder, 'review', 'latest', 'g1', '--approve', ...played);
await reconverge(folder, 'trace', 'latest', '--otlp', 'trace.json');
const waterfall = await browser.newPage({ viewport: { width: 1120, height: 400 } });
const otlp = readFileSync(join(folder, 'trace.json'), 'utf8');
await waterfall.setContent(tracePage(otlp, (name) => name === 'replan'));
writeFileSync(join(pictures, 'trace.png'), palettePng(readPng(await waterfall.screenshot({ fullPage: true }))));
await browser.close();
await serving?.close();
await journal.close();
await engine.close();
rmSync(folder, { recursive: true, force: true });
