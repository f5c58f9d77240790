// Orders from the inspector's page, in a real browser and for real runs: confirmed, signed, and as powerful as the command line.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { atTheDoor, call, callsOf, doorProject, openDoor, openThe } from '../cli/reconverge.ts';
import { card, chromiumPath, openPage, useBrowser } from './browser.ts';
import { inPage, inspect, serveHere } from './inspect.ts';

async function standing(page: Page, status: string): Promise<void> {
  await page.locator(`.run-head[data-status="${status}"]`).waitFor();
}

async function newest(cwd: string): Promise<RunRecord> {
  const engine = createEngine({ folder: cwd });
  const record = engine.read('latest');
  await engine.close();
  if (!record.ok) throw new Error('there is no run');
  return record.value;
}

/** The orders of people in the newest run, and their names. */
async function signatures(cwd: string): Promise<readonly unknown[]> {
  const { events } = await newest(cwd);
  return events.flatMap(({ event }) =>
    'by' in event && event.type !== 'run.attached' && event.type !== 'run.started'
      ? [{ type: event.type, by: event.by, ...('why' in event ? { why: event.why } : {}) }]
      : [],
  );
}

describe.skipIf(chromiumPath === undefined)('orders in the page', () => {
  useBrowser();

  it('raise the budget of a run that another process drives, and show the code of an issue', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    const page = await openPage((await inspect(cwd)).url);
    await page.getByLabel('More orders').click();
    await page.getByRole('button', { name: 'Raise the budget …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Raise the budget of the run' });
    const limit = dialog.getByLabel(/max_total_steps/);
    await limit.fill('2');
    await dialog.getByRole('button', { name: 'Raise' }).click();
    await dialog.getByRole('alert').getByText('BUDGET_NOT_RAISED').waitFor();
    await limit.fill('150');
    await dialog.getByLabel(/^Reason/).fill('worth it');
    await dialog.getByLabel(/^Your name/).fill('eve');
    await dialog.getByRole('button', { name: 'Raise' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('img', { name: /^steps: .* limit 150$/ })
      .first()
      .waitFor();
    openThe(cwd);
    expect((await run.ended).code).toBe(0);
    expect(await signatures(cwd)).toEqual([{ type: 'budget.raised', by: 'eve', why: 'worth it' }]);
  });

  it('retry a step, and give a step its result by hand', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    const page = await openPage((await inspect(cwd)).url);
    await card(page, 'door').click();
    const drawer = page.getByRole('complementary', { name: 'door' });
    await drawer.getByRole('button', { name: 'begin again …' }).click();
    await page.getByRole('button', { name: 'Begin again', exact: true }).click();
    await drawer.getByRole('tab', { name: 'attempts 2' }).waitFor();
    await drawer.getByRole('button', { name: 'give its result …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Give door its result' });
    await dialog.getByLabel(/^The result/).fill('{ "name": ');
    await dialog.getByRole('button', { name: 'Give this result' }).click();
    await dialog.getByRole('alert').getByText('INPUT_INVALID').waitFor();
    await dialog.getByLabel(/^The result/).fill('{ "name": "by hand" }');
    await dialog.getByRole('button', { name: 'Give this result' }).click();
    await standing(page, 'completed');
    expect(await drawer.getByRole('button', { name: 'begin again …' }).count()).toBe(0);
    await drawer.getByRole('tab', { name: 'result' }).click();
    await drawer.getByText('by hand').waitFor();
    expect((await run.ended).code).toBe(0);
  });

  it('cancel a run after a confirmation, and not without it', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    const page = await openPage((await inspect(cwd)).url);
    const cancel = page.getByRole('button', { name: 'cancel …' });
    await cancel.click();
    await page.getByRole('button', { name: 'Do not do it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await standing(page, 'running');
    await cancel.click();
    await page.getByLabel(/^Reason/).fill('wrong folder');
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await standing(page, 'cancelled');
    expect(await page.locator('.run-head .orders button').count()).toBe(0);
    expect((await run.ended).code).toBe(5);
    expect(await signatures(cwd)).toMatchObject([{ type: 'run.cancelling', why: 'wrong folder' }]);
  });

  it('resume a run that no process drives', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    run.child.kill('SIGKILL');
    await run.ended;
    const page = await openPage((await inspect(cwd)).url);
    await standing(page, 'interrupted');
    openThe(cwd);
    await page.getByRole('button', { name: 'resume' }).click();
    await standing(page, 'completed');
    expect(callsOf(cwd).filter((name) => name === 'first')).toHaveLength(1);
  });

  it('fork a run at the selected moment, and show the fork', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const first = await newest(cwd);
    const page = await openPage((await inspect(cwd)).url);
    await card(page, 'plan.1/ann').waitFor();
    const fork = page.getByRole('button', { name: 'fork …' });
    expect(await fork.isDisabled()).toBe(true);
    await page.getByLabel('Event of the journal').fill('3');
    await fork.click();
    const dialog = page.getByRole('dialog', { name: 'Fork the run after event 3' });
    await dialog.getByLabel(/max_total_steps/).fill('40');
    await dialog.getByRole('button', { name: 'Fork' }).click();
    await page.locator('.crumbs code', { hasText: first.state.id }).waitFor({ state: 'detached' });
    await standing(page, 'completed');
    await page
      .getByRole('img', { name: /^steps: .* limit 40$/ })
      .first()
      .waitFor();
    expect(page.url()).not.toContain(first.state.id);
    const { state } = await newest(cwd);
    expect(state.forked).toMatchObject({ from: first.state.id, at: 3 });
  });

  it('continue in the process of run --ui, whose run survives pages that open and close', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd, ['--ui', '--port', '0']);
    const [url = ''] = /http:\S+/.exec(run.stderr()) ?? [];
    const gone = await openPage(url);
    await card(gone, 'door').waitFor();
    await gone.goto('about:blank');
    const page = await openPage(url);
    await card(page, 'door').click();
    await page.getByRole('button', { name: 'begin again …' }).click();
    await page.getByRole('button', { name: 'Begin again', exact: true }).click();
    await page.getByRole('tab', { name: 'attempts 2' }).waitFor();
    openThe(cwd);
    await standing(page, 'completed');
    await run.said('goes on serving until Ctrl-C');
    await page.close();
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
  });

  it('can be given with the keyboard alone, while other shortcuts are off', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    const page = await openPage((await inspect(cwd)).url);
    const cancel = page.getByRole('button', { name: 'cancel …' });
    await cancel.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.getByRole('button', { name: 'Do not do it' }).focus();
    await page.keyboard.press('s');
    expect(page.url()).not.toContain('view=steps');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.dataset.order')).toBe('cancel');
    await page.keyboard.press('Enter');
    await page.getByLabel(/^Your name/).focus();
    await page.keyboard.type('eve');
    await page.keyboard.press('Enter');
    await standing(page, 'cancelled');
    await run.ended;
    expect(await signatures(cwd)).toMatchObject([{ by: 'eve' }]);
  });

  it('are not offered for a read-only store', async () => {
    const cwd = doorProject();
    const run = await atTheDoor(cwd);
    run.child.kill('SIGKILL');
    await run.ended;
    chmodSync(join(cwd, '.reconverge/runs.db'), 0o444);
    const page = await openPage((await inspect(cwd)).url);
    await page.getByText('read-only').waitFor();
    await card(page, 'door').click();
    await page.getByRole('tab', { name: 'attempts' }).waitFor();
    expect(await page.locator('.orders button').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'fork …' }).isDisabled()).toBe(true);
  });

  it('have names on all fields and buttons, and readable text, in the light and the dark theme', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const { url } = await serveHere(cwd);
    for (const dark of [false, true]) {
      const page = await openPage(url, { dark });
      await card(page, 'plan.1/ann').waitFor();
      await page.getByLabel('Event of the journal').fill('3');
      await page.getByRole('button', { name: 'fork …' }).click();
      await page.getByRole('button', { name: 'Fork', exact: true }).waitFor();
      await page.getByLabel(/max_total_steps/).fill('none');
      await page.getByRole('button', { name: 'Fork', exact: true }).click();
      await page.getByRole('alert').getByText('BUDGET_VALUE_UNREADABLE').waitFor();
      expect(await page.evaluate(inPage('nameless'))).toEqual([]);
      expect(await page.evaluate(inPage('faint'))).toEqual([]);
    }
  });
});
