// PERF12: measures the inspector in a real Chromium at 1,000 steps, all drawn, and at 10,000, folded by phase: the time to a laid-out graph, and the frame time during dragging.
import { chromium, type Page } from 'playwright-core';
import { builtPage } from '../src/inspector/server/built-page.ts';
import { readPageFiles } from '../src/inspector/server/page-files.ts';
import { serve } from '../src/inspector/server/serve.ts';
import { createEngine } from '../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../src/store/sqlite-journal.ts';
import { templateOf } from '../test/engine/template-of.ts';
import { trivial } from './layered.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const FRAGMENT = 18;

/** Phases in a chain, each with two layers of steps. */
function phases(steps: number) {
  const count = Math.round(steps / (FRAGMENT + 1));
  const first = Array.from({ length: FRAGMENT / 2 }, (_, i) => ({ name: `a${i}`, capability: 'work', input: {} }));
  const second = first.map((_step, i) => ({ name: `b${i}`, capability: 'work', input: {}, depends_on: [`a${i}`] }));
  const fragment = { rationale: 'more', steps: [...first, ...second] };
  const authored = Array.from({ length: count }, (_, i) => ({
    name: `p${i}`,
    after: i > 0 ? [`p${i - 1}`] : [],
    planning: { target: i < count - 1 ? `p${i + 1}` : 'end', planner: { kind: 'fixed' as const, fragment } },
  }));
  return templateOf({
    concurrency: 20,
    capabilities: [trivial.declaration],
    budget: {
      limit: { steps: steps * 2, phases: count * 2, tool_calls: steps * 3 },
      fragmentSteps: FRAGMENT,
      wallClock: 3_600_000,
    },
    steps: [...authored, { name: 'end', type: 'deferred', after: [`p${count - 1}`] }],
  });
}

interface Seen {
  /** Milliseconds from opening the page to a graph that is laid out. */
  readonly open: number;
  readonly cards: number;
  /** Milliseconds of each frame during dragging. */
  readonly frames: readonly number[];
}

/** `shown` is the part of the graph on the screen. */
async function look(page: Page, url: string, shown: 'whole' | 'part'): Promise<Seen> {
  const began = performance.now();
  await page.goto(url);
  await page.locator('[data-card]').first().waitFor({ timeout: 120_000 });
  const open = performance.now() - began;
  for (let i = 0; shown === 'part' && i < 12; i++) await page.keyboard.press('+');
  await page.evaluate(`globalThis.frames = []; (function tick(before) {
    requestAnimationFrame((now) => { if (before) frames.push(now - before); tick(now); });
  })();`);
  await page.mouse.move(900, 500);
  await page.mouse.down();
  // Drags across the whole graph and back.
  for (let i = 0; i < 240; i++) await page.mouse.move(900 - 380 * Math.sin(i / 12), 500 + 120 * Math.sin(i / 17));
  await page.mouse.up();
  const frames: number[] = JSON.parse(await page.evaluate('JSON.stringify(globalThis.frames)'));
  return { open, cards: await page.locator('[data-card]').count(), frames };
}

const folder = scratch();
const files = readPageFiles(await builtPage(() => console.log('building the page …')));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const rows: (string | number)[][] = [];
for (const steps of [1_000, 10_000]) {
  const store = folder.file();
  const engine = createEngine({ store, durability: 'relaxed', capabilities: [trivial] });
  const started = await engine.start(phases(steps));
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  await started.value.done;
  const journal = openSqliteJournal(store);
  const serving = await serve({ engine, journal, files, token: 'bench', ports: [0], by: 'bench' });
  if (serving === undefined) throw new Error('there is no free port');
  for (const shown of ['whole', 'part'] as const) {
    const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
    const { open, cards, frames } = await look(page, serving.url, shown);
    const slow = [...frames].sort((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? 0;
    if (process.env.PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.PICTURES}/${steps}-${shown}.png` });
    rows.push([steps, shown, cards, Math.round(open), median(frames), slow, steps === 1_000 ? '≤ 33' : '']);
    await page.close();
  }
  await serving.close();
  await journal.close();
  await engine.close();
}
await browser.close();
folder.remove();
printTable(
  'The inspector, dragged',
  ['steps', 'on the screen', 'cards drawn', 'ms until seen', 'frame median, ms', 'frame p95, ms', 'goal'],
  rows,
);
