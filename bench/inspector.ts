// PERF12: measures the inspector in a real Chromium at 20 to 10,000 steps: the first picture, dragging, zooming and memory, for graph, timeline and list of runs.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { makeRun } from './runs/make-run.ts';
import { makeManyRuns } from './runs/many-runs.ts';
import { isStill, latestRun, openAt, openChromium, type Served, serveStore } from './runs/served-page.ts';
import { median, printTable } from './table.ts';

const usage = `Usage: node bench/inspector.ts [STEPS …] [--stores FOLDER] [--source CHECKOUT] [--views graph,timeline,runs]

Measures 20, 100, 300, 1000, 3000 and 10000 steps. Stores that FOLDER lacks are made: bench/inspector-runs.ts makes them too.
  --source CHECKOUT  measures the page of another checkout, whose program can read the stores`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    stores: { type: 'string' },
    source: { type: 'string' },
    views: { type: 'string', default: 'graph,timeline,runs' },
    help: { type: 'boolean' },
  },
});
if (values.help === true || positionals.some((size) => !/^\d+$/.test(size))) {
  console.error(usage);
  process.exit(values.help === true ? 0 : 2);
}

interface Motion {
  /** Milliseconds between animation frames. */
  readonly median: number;
  readonly late: number;
  /** Milliseconds of script, style, layout and paint for each frame. */
  readonly work: number;
}

interface Seen {
  /** Milliseconds from the address to the first picture with steps, phases, rows or runs. */
  readonly first: number;
  readonly drag: Motion;
  readonly zoom: Motion;
  /** Megabytes of the page's heap after a collection. */
  readonly heap: number;
  readonly elements: number;
}

/** Frames while the mouse does something. */
async function motion(page: Page, act: () => Promise<void>): Promise<Motion> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  await page.evaluate(`globalThis.frames = []; globalThis.isMoving = true; (function tick(before) {
    requestAnimationFrame((now) => { if (before) frames.push(now - before); if (isMoving) tick(now); });
  })();`);
  const before = await spent();
  await act();
  const work = ((await spent()) - before) * 1_000;
  const frames: number[] = JSON.parse(await page.evaluate('isMoving = false; JSON.stringify(globalThis.frames)'));
  await session.detach();
  const late = [...frames].sort((one, other) => one - other)[Math.floor(frames.length * 0.95)] ?? 0;
  return { median: median(frames), late, work: work / Math.max(1, frames.length) };
}

async function look(browser: Browser, url: string): Promise<Seen> {
  const page = await openAt(browser, url);
  const first: number = await page.evaluate('globalThis.pictured.promise');
  await isStill(page);
  const drag = await motion(page, async () => {
    await page.mouse.move(900, 560);
    await page.mouse.down();
    for (let i = 0; i < 150; i++) await page.mouse.move(900 - 380 * Math.sin(i / 12), 560 + 90 * Math.sin(i / 17));
    await page.mouse.up();
  });
  const zoom = await motion(page, async () => {
    await page.mouse.move(680, 500);
    for (let i = 0; i < 90; i++) await page.mouse.wheel(0, i % 60 < 30 ? -60 : 60);
  });
  await isStill(page);
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const elements: number = await page.evaluate("document.querySelectorAll('*').length");
  await page.context().close();
  return { first, drag, zoom, heap: usedSize / 2 ** 20, elements };
}

const folder = values.stores ?? mkdtempSync(join(tmpdir(), 'reconverge-bench-'));
const browser = await openChromium();
const rows: (string | number)[][] = [];

async function measure(label: string, view: string, served: Served, hash: string): Promise<void> {
  // The first page fills caches of the server and of the browser.
  const tries = [
    await look(browser, served.url + hash),
    await look(browser, served.url + hash),
    await look(browser, served.url + hash),
  ];
  const of = (value: (seen: Seen) => number): number => Math.round(median(tries.map(value)) * 10) / 10;
  rows.push([
    label,
    view,
    of(({ first }) => first),
    of(({ drag }) => drag.median),
    of(({ drag }) => drag.late),
    of(({ drag }) => drag.work),
    of(({ zoom }) => zoom.late),
    of(({ zoom }) => zoom.work),
    of(({ heap }) => heap),
    of(({ elements }) => elements),
  ]);
  console.error(rows.at(-1)?.join('  '));
}

const views = values.views.split(',');
for (const steps of positionals.length === 0 ? [20, 100, 300, 1_000, 3_000, 10_000] : positionals.map(Number)) {
  const store = join(folder, `${steps}.db`);
  if (!existsSync(store)) await makeRun({ store, steps, variant: 'gate' });
  const served = await serveStore(store, values.source);
  // Another checkout chooses the only run by itself, because opening the store here could bring it to a newer form.
  const run = values.source === undefined ? `#run=${await latestRun(store)}` : '';
  if (views.includes('graph')) await measure(String(steps), 'graph', served, run);
  if (views.includes('timeline')) await measure(String(steps), 'timeline', served, `${run}&view=timeline`);
  await served.close();
}
for (const [name, count, small] of [
  ['many-runs', 40, false],
  ['1000-runs', 1_000, true],
] as const) {
  if (!views.includes('runs')) break;
  const store = join(folder, `${name}.db`);
  if (!existsSync(store)) await makeManyRuns(store, count, { small });
  const served = await serveStore(store, values.source);
  await measure(`${count} runs`, 'runs', served, '#runs');
  await served.close();
}
await browser.close();
if (values.stores === undefined) rmSync(folder, { recursive: true });
printTable(
  `PERF12: the inspector, medians of 3 pages, load ${loadavg()[0]?.toFixed(1)}`,
  [
    'size',
    'view',
    'first picture, ms',
    'drag median, ms',
    'drag p95, ms',
    'work in a frame of it, ms',
    'zoom p95, ms',
    'work in a frame of it, ms',
    'heap, MB',
    'elements',
  ],
  rows,
);
