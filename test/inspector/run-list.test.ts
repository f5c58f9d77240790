// The list of runs in a real Chromium: filters, groups, lineage, keys, small screens, live updates, and starting a run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, openDoor } from '../cli/reconverge.ts';
import { chromiumPath, openPage, useBrowser } from './browser.ts';
import { serveHere } from './inspect.ts';

const template = `reconverge: 1
name: start
input: { type: object, required: [number], properties: { number: { type: integer }, loud: { type: boolean } } }
steps:
  - { name: twice, type: compute, expr: "(* 2 (:number data/input))" }
  - { name: check, type: human_review, prompt: "is {{ results.twice }} right?", dependencies: [twice] }
`;

describe.skipIf(chromiumPath === undefined)('the list of runs', () => {
  useBrowser();

  it('is filtered, sorted and walked by keys, shows where runs came from, and grows while one looks', async () => {
    const cwd = openDoor({ 'start.yaml': template });
    // A word of the search may be part of an id, so it is longer than one.
    for (const number of ['1', '1234567890'])
      await call(['run', 'start.yaml', '--input', `number=${number}`, '--quiet'], { cwd });
    for (let count = 0; count < 7; count++) await call(['run', 'plan.yaml', '--quiet'], { cwd });
    await call(['fork', 'latest', '--at', '3', '--quiet'], { cwd });
    const page = await openPage((await serveHere(cwd)).url);
    await page.locator('.run-group h2').nth(1).waitFor();
    expect(await page.locator('.run-group h2').allTextContents()).toEqual(['door', 'start']);
    expect(await page.locator('[data-chip="all"]').textContent()).toBe('All 10');
    expect(await page.locator('.run-row.depth-1').textContent()).toMatch(/fork of \w+ at event \d+/);

    await page.getByRole('button', { name: '2 more' }).click();
    expect(await page.locator('.run-row').count()).toBe(10);
    expect(page.url()).toContain('all=door');

    await page.locator('[data-chip="waiting"]').click();
    expect(await page.locator('.run-row').count()).toBe(2);
    expect(page.url()).toContain('status=waiting');
    await page.getByLabel('Search the runs').fill('is 2469135780 right');
    await page.locator('.run-row').nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Search the runs').fill('nothing like this');
    await page.getByRole('button', { name: 'Show all runs' }).click();
    expect(await page.locator('.run-row').count()).toBe(10);

    await page.getByRole('button', { name: /filter and sort/ }).click();
    await page.getByLabel('Cost', { exact: true }).fill('5');
    await page.getByLabel('Cost', { exact: true }).blur();
    await page.getByText(/^Cost takes a bound such as/).waitFor();
    await page.getByLabel('Cost', { exact: true }).fill('');
    await page.getByLabel('Sort', { exact: true }).selectOption('steps');
    expect(page.url()).toContain('sort=steps');
    expect(await page.locator('.run-template').first().textContent()).toBe('door');

    await page.locator('.run-row').first().focus();
    await page.keyboard.press('ArrowDown');
    const second = await page.locator('.run-row').nth(1).getAttribute('data-run');
    expect(await page.evaluate('document.activeElement.dataset.run')).toBe(second);

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await call(['run', 'start.yaml', '--input', 'number=3', '--quiet'], { cwd });
    await page.locator('[data-chip="all"]', { hasText: 'All 11' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.crumbs code', { hasText: second ?? '' }).waitFor();
  });

  it('starts a template after showing its bound, opens the run, and runs it again', async () => {
    const cwd = openDoor({ 'start.yaml': template });
    const here = await serveHere(cwd);
    const page = await openPage(here.url);
    await page.getByRole('button', { name: 'Start a run' }).click();
    await page.getByLabel('Template').selectOption('start.yaml');
    await page.getByText(/no run uses more than at worst/).waitFor();
    const start = page.getByRole('button', { name: 'Start', exact: true });
    expect(await start.isDisabled()).toBe(true);
    await page.getByLabel(/^number/).fill('many');
    await page.locator('.field-issue').waitFor();
    await page.getByLabel(/^number/).fill('21');
    await page.locator('.field-issue').waitFor({ state: 'detached' });
    await start.click();
    await page.locator('.run-head').waitFor();
    const [first] = here.engine.runs();
    expect(page.url()).toContain(`run=${first?.id}`);

    await page.keyboard.press('l');
    await page.getByRole('button', { name: 'run again' }).click();
    expect(await page.getByLabel(/^number/).inputValue()).toBe('21');
    writeFileSync(join(cwd, 'start.yaml'), template.replace('is {{', 'is really {{'));
    await page.getByLabel(/^number/).fill('4');
    await page.getByText('is really', { exact: false }).waitFor();
    await start.click();
    await page.locator('.crumbs code', { hasNotText: first?.id ?? '' }).waitFor();
    expect(here.engine.runs()).toHaveLength(2);
  });
});
