// The graph can be read: in a real browser, every name has 10 px, a contrast of 4.5, eight letters, and nothing over it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeRun, type Variant } from '../../bench/runs/make-run.ts';
import { type ShownStatus, shownStatusOf } from '../../src/view/phases/shown-status.ts';
import { project } from '../cli/reconverge.ts';
import { chromiumPath, openPage, useBrowser } from './browser.ts';
import { inPage, serveHere } from './inspect.ts';
import { type Readability, readability } from './readability/readability.ts';
import type { TestServer } from './served.ts';

const GRAPH = '.canvas';
const LEAST_SHARE = 0.95;

async function openRun(steps: number, variant: Variant): Promise<{ readonly page: Page; readonly served: TestServer }> {
  const cwd = project();
  mkdirSync(join(cwd, '.reconverge'), { recursive: true });
  await makeRun({ store: join(cwd, '.reconverge/runs.db'), steps, variant, speed: 400 });
  const served = await serveHere(cwd);
  const page = await openPage(served.url);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.locator(`${GRAPH} [data-card], ${GRAPH} [data-phase]`).first().waitFor({ state: 'attached' });
  return { page, served };
}

async function judged(page: Page, level?: '1' | '2' | '3'): Promise<Readability> {
  if (level !== undefined) await page.keyboard.press(level);
  await page.evaluate(inPage('still'));
  return readability(page, GRAPH);
}

/** The share of what is wholly in the frame whose name can be read. */
function shareNamed({ marks, steps, phases }: Readability, kind: 'step' | 'phase'): number {
  const all = new Set(marks.filter((mark) => mark.kind === kind).map(({ id }) => id));
  const named = kind === 'step' ? steps : phases;
  return all.size === 0 ? 1 : [...all].filter((id) => named.has(id)).length / all.size;
}

/** The ids of steps that fail, run or ask, from the store. */
function loudSteps({ engine }: TestServer): readonly string[] {
  const loud: ReadonlySet<ShownStatus> = new Set(['failed', 'running', 'retrying', 'asks']);
  const record = engine.read('latest');
  if (!record.ok) throw new Error('there is no run');
  const { state } = record.value;
  return [...state.steps.values()].flatMap((step) => (loud.has(shownStatusOf(state, step)) ? [step.id] : []));
}

async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const far = await judged(page, '1');
    expect(shareNamed(far, 'phase'), `phases at far, ${colorScheme}`).toBeGreaterThanOrEqual(LEAST_SHARE);
    const middle = await judged(page, '2');
    expect(shareNamed(middle, 'phase'), `phases at middle, ${colorScheme}`).toBeGreaterThanOrEqual(LEAST_SHARE);
    const near = await judged(page, '3');
    expect(shareNamed(near, 'step'), `cards at near, ${colorScheme}`).toBeGreaterThanOrEqual(LEAST_SHARE);
    expect([...far.flaws, ...middle.flaws, ...near.flaws]).toEqual([]);
  }
}

describe.skipIf(chromiumPath === undefined)('the names on the graph', () => {
  useBrowser();

  it('can be read at every level of a run of 20 steps, light and dark', async () => {
    const { page } = await openRun(20, 'gate');
    const open = await judged(page);
    expect(open.flaws).toEqual([]);
    expect(open.labels).toBeGreaterThan(20);
    await expectReadable(page);
  });

  it('name what failed and asks as soon as a run of 300 steps opens, and can be read at every level', async () => {
    const { page, served } = await openRun(300, 'gate');
    const open = await judged(page);
    expect(open.flaws).toEqual([]);
    const loud = loudSteps(served);
    expect(loud.length).toBeGreaterThan(4);
    expect(loud.filter((id) => !open.steps.has(id))).toEqual([]);
    await expectReadable(page);
  });

  it('name the steps at work as soon as a run of 300 steps opens in its middle', async () => {
    const { page, served } = await openRun(300, 'living');
    const open = await judged(page);
    expect(open.flaws).toEqual([]);
    const loud = loudSteps(served);
    expect(loud.length).toBeGreaterThan(9);
    expect(loud.filter((id) => !open.steps.has(id))).toEqual([]);
  });

  it.skipIf(process.env.RECONVERGE_LONG !== '1')('can be read at every level of a run of 3,000 steps', async () => {
    const { page } = await openRun(3_000, 'gate');
    expect((await judged(page)).flaws).toEqual([]);
    await expectReadable(page);
  });
});
