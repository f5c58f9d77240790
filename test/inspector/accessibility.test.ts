// The page for people with screen readers, keyboards and small screens: axe finds nothing on any view, and targets are large enough.

import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeRun } from '../../bench/runs/make-run.ts';
import { project } from '../cli/reconverge.ts';
import { chromiumPath, openPage, useBrowser } from './browser.ts';
import { inPage, serveHere } from './inspect.ts';

interface Violation {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly html: string;
    readonly failureSummary?: string;
  }[];
}

/** The words in a phase of the graph or a row of the timeline are figures, cut to their room, and no label that a person would say. */
function withoutDrawings({ id, nodes }: Violation): Violation {
  const isDrawing = ({ html }: Violation['nodes'][number]): boolean => / data-(phase|row)=/.test(html);
  return { id, nodes: id === 'label-content-name-mismatch' ? nodes.filter((node) => !isDrawing(node)) : nodes };
}

/** `rules`: only these; absent: all that axe recommends, and the target size of WCAG 2.2. */
async function findings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = {
    resultTypes: ['violations'],
    ...(rules === undefined
      ? { rules: { 'target-size': { enabled: true } } }
      : { runOnly: { type: 'rule', values: rules } }),
  };
  const violations: readonly Violation[] = JSON.parse(
    await page.evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`,
    ),
  );
  return violations
    .map(withoutDrawings)
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ id, nodes }) => {
      const [first] = nodes;
      return `${id} at ${nodes.length} places: ${first?.target.join(' ')}: ${first?.failureSummary?.replaceAll(/\s+/g, ' ')}`;
    });
}

async function smallTargets(page: Page, least: number): Promise<readonly string[]> {
  const targets: readonly { what: string; width: number; height: number }[] = JSON.parse(
    await page.evaluate(inPage('targets')),
  );
  return targets
    .filter(({ width, height }) => width < least || height < least)
    .map(({ what, width, height }) => `${what} is ${width} × ${height}`);
}

interface Focus {
  readonly what: string;
  readonly isSeen: boolean;
  readonly isMarked: boolean;
}

interface Scene {
  readonly name: string;
  /** The address without the run. */
  readonly at?: string;
  show?(page: Page): Promise<unknown>;
  leave?(page: Page): Promise<unknown>;
}

const leave = (page: Page): Promise<void> => page.keyboard.press('Escape');

const scenes: readonly Scene[] = [
  { name: 'graph', at: '' },
  { name: 'timeline', at: '&view=timeline' },
  { name: 'steps', at: '&view=steps' },
  { name: 'budget', at: '&view=budget' },
  { name: 'journal', at: '&view=journal' },
  { name: 'changes', at: '&view=changes' },
  { name: 'failed step', at: '&step=plan_customers.1/dedupe_west' },
  { name: 'gate', at: '&gate=g1' },
  { name: 'help', at: '', show: (page) => page.keyboard.press('?'), leave },
  { name: 'run list' },
];

async function show(page: Page, run: string, { at, show: act }: Scene): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(at === undefined ? '#runs' : `#run=${run}${at}`)}`);
  await page.evaluate(inPage('still'));
  await act?.(page);
  await page.evaluate(inPage('still'));
}

describe.skipIf(chromiumPath === undefined)('the accessibility of the page', () => {
  useBrowser();

  it('axe finds nothing on any view, light and dark, wide and narrow, and targets have 24 px, 44 px on a phone', async () => {
    const cwd = project();
    const { report } = await makeRun({
      store: join(cwd, '.reconverge/runs.db'),
      steps: 20,
      variant: 'gate',
      speed: 200,
    });
    const page = await openPage((await serveHere(cwd)).url);
    await page.evaluate(axe.source);
    /** The first view of each finding: the top bar is on all of them. */
    const wrong = new Map<string, string>();
    for (const width of [1360, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 820 });
      for (const scene of scenes) {
        await show(page, report.run, scene);
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        const light = await findings(page);
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        // Colors are all that differs in the dark.
        const dark = await findings(page, ['color-contrast']);
        const small = await smallTargets(page, width === 390 ? 44 : 24);
        for (const each of [...light, ...dark.map((text) => `dark: ${text}`), ...small])
          if (!wrong.has(each)) wrong.set(each, `${scene.name} at ${width} px`);
        await scene.leave?.(page);
      }
    }
    expect([...wrong].map(([finding, view]) => `${view}: ${finding}`)).toEqual([]);
  });

  it('every control is reached by Tab with a visible focus, and arrows walk the graph and say where they are', async () => {
    const cwd = project();
    await makeRun({ store: join(cwd, '.reconverge/runs.db'), steps: 20, variant: 'gate', speed: 200 });
    const page = await openPage((await serveHere(cwd)).url);
    await page.locator('[data-card="agree"]').waitFor({ state: 'attached' });
    await page.evaluate(inPage('still'));
    const reached: Focus[] = [];
    do {
      await page.keyboard.press('Tab');
      reached.push(JSON.parse(await page.evaluate(inPage('focus'))));
    } while (reached.at(-1)?.what !== 'the page' && reached.length < 80);
    expect(reached.at(-1)?.what).toBe('the page');
    expect(reached.filter(({ isSeen, isMarked }) => !isSeen || !isMarked)).toEqual([]);
    const names = reached.map(({ what }) => what).join('\n');
    for (const control of [
      /Search the step/,
      /Read and approve/,
      /tab graph/,
      /application Graph of the run/,
      /Event of the journal/,
    ])
      expect(names).toMatch(control);

    await page.keyboard.press('g');
    const said = new Set<string>();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press(key);
      await page.evaluate(inPage('still'));
      said.add((await page.locator('.canvas [role=status]').textContent()) ?? '');
    }
    expect(said.size).toBeGreaterThan(2);
    await page.keyboard.press('Enter');
    await page.locator('aside, .panel').first().waitFor();
    expect(page.url()).toContain('step=');
    await page.keyboard.press('Escape');
    expect(page.url()).not.toContain('step=');
  });
});
