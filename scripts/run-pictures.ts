// Makes the pictures of large runs in docs/pictures: each size and view, light and dark, on a desk and on a phone.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { makeRun } from '../bench/runs/make-run.ts';
import { makeManyRuns } from '../bench/runs/many-runs.ts';
import {
  DESK,
  isStill,
  latestRun,
  openAt,
  openChromium,
  PHONE,
  type Size,
  serveStore,
  type Theme,
} from '../bench/runs/served-page.ts';
import { palettePng, readPng } from '../test/inspector/readability/png.ts';

interface Picture {
  readonly name: string;
  /** The part of the address after the run; `#…` replaces the run. */
  readonly place?: string;
  readonly size?: Size;
  readonly before?: (page: Page) => Promise<void>;
}

const press =
  (key: string) =>
  (page: Page): Promise<void> =>
    page.keyboard.press(key);

/** The store of each list: the steps of its run, with the variant. */
const pictures: Readonly<Record<string, readonly Picture[]>> = {
  '20': [{ name: 'graph-20' }],
  '100': [{ name: 'graph-100' }],
  '300': [
    { name: 'graph-300' },
    { name: 'graph-300-phases', before: press('1') },
    { name: 'graph-300-cards', before: press('3') },
    { name: 'step-300', place: '&step=plan_returns.1/check_east' },
    { name: 'timeline-300', place: '&view=timeline' },
    { name: 'phone-graph', size: PHONE },
    { name: 'phone-gate', size: PHONE, place: '&gate=g1' },
    { name: 'phone-timeline', size: PHONE, place: '&view=timeline' },
  ],
  '1000': [{ name: 'graph-1000' }],
  '3000': [{ name: 'graph-3000' }, { name: 'timeline-3000', place: '&view=timeline' }],
  '10000': [{ name: 'graph-10000' }],
  'many-runs': [
    { name: 'runs', place: '#runs' },
    { name: 'phone-runs', place: '#runs', size: PHONE },
  ],
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    stores: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, '../docs/pictures') },
  },
});
const stores = values.stores ?? mkdtempSync(join(tmpdir(), 'reconverge-pictures-'));
mkdirSync(values.out, { recursive: true });

async function made(name: string): Promise<string> {
  const store = join(stores, `${name}.db`);
  if (existsSync(store)) return store;
  if (name === 'many-runs') await makeManyRuns(store, 40);
  else await makeRun({ store, steps: Number(name), variant: 'gate' });
  return store;
}

async function take(browser: Browser, url: string, theme: Theme, picture: Picture): Promise<void> {
  const page = await openAt(browser, url, theme, picture.size ?? DESK);
  await isStill(page);
  await picture.before?.(page);
  await isStill(page);
  writeFileSync(join(values.out, `${picture.name}-${theme}.png`), palettePng(readPng(await page.screenshot())));
  await page.context().close();
}

const browser = await openChromium();

async function takeAll(list: readonly Picture[], url: string, run: string): Promise<void> {
  for (const picture of list)
    for (const theme of ['light', 'dark'] as const) {
      const { place = '' } = picture;
      await take(browser, url + (place.startsWith('#') ? place : run + place), theme, picture);
      console.log(`${picture.name}-${theme}.png`);
    }
}

/** A run at work is pictured while this process drives it; its clock is that of the machine. */
async function takeAtWork(): Promise<void> {
  const store = join(mkdtempSync(join(tmpdir(), 'reconverge-at-work-')), 'runs.db');
  const atWork = async (): Promise<void> => {
    const served = await serveStore(store);
    await takeAll([{ name: 'graph-300-at-work' }], served.url, `#run=${await latestRun(store)}`);
    await served.close();
  };
  await makeRun({ store, steps: 300, variant: 'living', speed: 1, start: Date.now(), atWork });
}

for (const [name, list] of Object.entries(pictures)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const store = await made(name);
  const served = await serveStore(store);
  const run = await latestRun(store);
  await takeAll(list, served.url, `#run=${run}`);
  await served.close();
}
if (positionals.length === 0 || positionals.includes('at-work')) await takeAtWork();
await browser.close();
if (values.stores === undefined) rmSync(stores, { recursive: true });
