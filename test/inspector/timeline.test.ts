// The timeline and the slider in a real browser: rows and keys, the past, living runs, many rows and a narrow page.
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { atTheDoor, call, doorProject, openDoor, openThe } from '../cli/reconverge.ts';
import { patience } from '../patience.ts';
import { chromiumPath, useBrowser } from './browser.ts';
import { inspectHere } from './inspect.ts';

const many = `
reconverge: 1
name: many
capabilities: [./handlers.ts]
budget: { max_total_steps: 500 }
steps:
  - name: visit
    type: fan_out
    for_each: !lisp (map str (range 300))
    max_width: 300
    do:
      handler: door.note
      input: { name: "{{ item }}" }
`;

function row(page: Page, key: string) {
  return page.locator(`[data-row="${key}"]`);
}

/** The least font size of all texts of the timeline and the slider that can be seen, in pixels. */
const leastFont = `Math.min(...[...document.querySelectorAll('.waterfall *, .time-slider *')]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .filter((each) => each.getClientRects().length > 0)
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))`;

describe.skipIf(chromiumPath === undefined)('the timeline in the page', () => {
  useBrowser();

  it('opens rows by mouse and keyboard, leads to the drawer, and shows the past', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await page.locator('.time-slider').waitFor();
    await page.keyboard.press('t');
    const phase = page.getByRole('row', { name: /^phase 1 plan: 3 of 3 steps completed/ });
    await phase.waitFor();
    expect(await phase.getAttribute('aria-expanded')).toBe('false');
    const tree = page.getByRole('treegrid', { name: 'Phases and steps over time' });
    await tree.focus();
    const focused = async () => page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`);
    await page.keyboard.press('End');
    expect(await (await focused()).getAttribute('aria-label')).toMatch(/^last: completed/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await row(page, 'plan.1/ben').waitFor();
    expect(await phase.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: /plan\.1\/(ann|ben)/ }).waitFor();
    expect(page.url()).toContain('step=plan.1');
    await page.keyboard.press('Escape');
    await row(page, 'door').click();
    await page.getByRole('complementary', { name: 'door' }).waitFor();
    expect(await row(page, 'door').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');

    await page.getByLabel('Event of the journal').fill('4');
    await page.locator('.grid-moment').waitFor();
    expect(await page.getByLabel('Event of the journal').getAttribute('aria-valuetext')).toMatch(
      /^\d+m?s of .*, event 4 of \d+: .*attempt\.started +door/,
    );
    await page.getByRole('row', { name: /^door: running/ }).waitFor();
    await page.keyboard.press('.');
    await page.locator('.grid-moment').waitFor({ state: 'detached' });
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'fit', exact: true }).click();
    expect(await page.evaluate(leastFont)).toBeGreaterThanOrEqual(10);
  });

  it('moves by itself while a step is at work, and stops when the run ends', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    const page = await inspectHere(cwd);
    await page.locator('.time-slider').waitFor();
    await page.keyboard.press('t');
    await row(page, 'door').locator('.bar.running').waitFor();
    const shown = () => page.locator('.moment b').textContent();
    const before = await shown();
    await vi.waitFor(async () => expect(await shown()).not.toBe(before), patience);
    openThe(cwd);
    await run.ended;
    await page.getByText('now · the run has ended').waitFor();
    await row(page, 'door').locator('.bar.completed').waitFor();
  });

  it('draws only the seen ones of many rows, and rows for fingers on a narrow page', async () => {
    const cwd = openDoor({ 'many.yaml': many });
    await call(['run', 'many.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await page.locator('.time-slider').waitFor();
    await page.keyboard.press('t');
    await row(page, 'phase visit').click();
    await row(page, 'rest visit').click();
    await page.getByRole('treegrid').focus();
    expect(await page.locator('.time-row').count()).toBeLessThan(150);
    await page.keyboard.press('End');
    const last = page.getByRole('row').last();
    await vi.waitFor(async () => {
      expect(await last.getAttribute('aria-posinset')).toBe(await last.getAttribute('aria-setsize'));
      expect(await last.isVisible()).toBe(true);
    }, patience);
    expect(Number(await last.getAttribute('aria-setsize'))).toBeGreaterThan(250);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('Home');
    await vi.waitFor(async () => {
      expect((await row(page, 'phase visit').boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }, patience);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate(leastFont)).toBeGreaterThanOrEqual(10);
  });
});
