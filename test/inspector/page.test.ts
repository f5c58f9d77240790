// The inspector in a real browser with real processes: it follows a run, answers gates, shows the past, and survives its server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { atTheDoor, call, doorProject, openDoor, openThe } from '../cli/reconverge.ts';
import { patience } from '../patience.ts';
import { card, chromiumPath, openPage, useBrowser } from './browser.ts';
import { inPage, inspect, inspectHere, serveHere } from './inspect.ts';

async function see(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
}

/** Acts as if a person left the tab, or returned to it. */
async function turnTo(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })`);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

/** The versions that the page has received, and that the store holds. */
async function eventsIn(cwd: string, page: Page): Promise<readonly [shown: string, stored: string]> {
  const engine = createEngine({ folder: cwd });
  const record = engine.read('latest');
  await engine.close();
  const stored = record.ok ? record.value.events.length : 0;
  return [(await page.locator('.event-line .dim').textContent()) ?? '', `${stored} / ${stored}`];
}

const reviewed = `
reconverge: 1
name: reviewed
capabilities: [./handlers.ts]
steps:
  - name: plan
    type: planning
    goal: Say who was here.
    convergence_target: last
    plan_review: always
    planner:
      kind: lisp
      source: !lisp |
        {:rationale "two guests"
         :steps [{:name "ann" :capability "door.note" :input {:name "ann"}}
                 {:name "ben" :capability "door.note" :input {:name "ben"}}]}
  - name: last
    type: deferred
    dependencies: [plan]
    convergence: { policy: all_settled }
    handler: door.note
    input: { name: last }
  - name: agree
    type: human_review
    dependencies: [last]
    prompt: Were these the guests?
`;

describe.skipIf(chromiumPath === undefined)('the page of the inspector', () => {
  useBrowser();

  it('shows a run that grows in front of the reader', async () => {
    const cwd = doorProject();
    const { url } = await inspect(cwd);
    const page = await openPage(url);
    await see(page, 'No run yet');
    const run = await atTheDoor(cwd);
    await card(page, 'door', 'running').waitFor();
    expect(await card(page, 'plan.1/ann').count()).toBe(0);
    openThe(cwd);
    await card(page, 'plan.1/ann', 'completed').waitFor();
    await page.getByRole('button', { name: /^Phase 1 plan: 3 of 3 completed/ }).waitFor();
    expect(await card(page, 'plan.1/ben').getAttribute('aria-label')).toMatch(/^ben, completed, \d/);
    expect((await run.ended).code).toBe(0);
    await page.locator('.run-head[data-status="completed"]').waitFor();
    await vi.waitFor(async () => {
      const [shown, stored] = await eventsIn(cwd, page);
      expect(shown).toBe(stored);
    }, patience);
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/stream')) streams.push(request.url());
    });
    await page.reload();
    await card(page, 'plan.1/ann', 'completed').waitFor();
    expect(streams).toHaveLength(1);
  });

  it('accepts another plan from a person, shows its issues, and continues the run', async () => {
    const cwd = openDoor({ 'reviewed.yaml': reviewed });
    expect((await call(['run', 'reviewed.yaml'], { cwd })).code).toBe(3);
    const page = await openPage((await inspect(cwd)).url);
    await page.getByRole('button', { name: 'Read and approve' }).click();
    const plan = page.getByLabel(/^The plan in YAML/);
    const text = await plan.inputValue();
    expect(text).toContain('name: ben');
    await plan.fill(text.replace('capability: door.note', 'capability: door.knock'));
    await page.getByRole('button', { name: 'Send the edited plan' }).click();
    await page.locator('.issues li', { hasText: 'door.knock' }).waitFor();
    await plan.fill(text.replaceAll('ben', 'eve'));
    await page.getByLabel(/^Notes/).fill('ben was away');
    await page.getByRole('button', { name: 'Send the edited plan' }).click();
    await card(page, 'plan.1/eve', 'completed').waitFor();
    await page.getByRole('button', { name: 'Read and approve' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.locator('.run-head[data-status="completed"]').waitFor();
    await page.getByRole('tab', { name: 'changes' }).click();
    await page.locator('.text-diff .added', { hasText: '"name": "eve"' }).first().waitFor();
    expect(await page.locator('.text-diff .removed', { hasText: '"name": "ben"' }).count()).toBeGreaterThan(0);
  });

  it('shows the past of the journal, step by step', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await card(page, 'plan.1/ann').waitFor();
    const slider = page.getByLabel('Event of the journal');
    await slider.fill('2');
    expect(await page.locator('[data-card][data-status]').count()).toBe(3);
    await card(page, 'first', 'running').waitFor();
    await page
      .getByText(/attempt\.started {2,}first/)
      .first()
      .waitFor();
    await page.keyboard.press(']');
    await page.locator('.event-line', { hasText: '3 /' }).waitFor();
    await page.getByRole('button', { name: 'now', exact: true }).click();
    await card(page, 'plan.1/ann').waitFor();
    expect(page.url()).not.toContain('at=');
  });

  it('receives every event although its server was away', async () => {
    const cwd = doorProject();
    const first = await inspect(cwd);
    const run = await atTheDoor(cwd);
    const page = await openPage(first.url, { away: true });
    await card(page, 'door', 'running').waitFor();
    first.process.child.kill('SIGKILL');
    await page.getByText('○ reconnecting …').waitFor();
    openThe(cwd);
    await run.ended;
    const again = await inspect(cwd, new URL(first.url).port);
    expect(again.url).toBe(first.url);
    await page.getByText('● live').waitFor();
    await card(page, 'plan.1/ann').waitFor();
    await vi.waitFor(async () => {
      const [shown, stored] = await eventsIn(cwd, page);
      expect(shown).toBe(stored);
    }, patience);
  });

  it('frees the connections of the browser while it is hidden, and then receives the missed events', async () => {
    const cwd = openDoor({ 'reviewed.yaml': reviewed });
    await call(['run', 'reviewed.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await page.locator('.run-head[data-status="waiting"]').waitFor();
    expect(await page.title()).toBe('reviewed: waiting · Reconverge');
    await turnTo(page, true);
    for (let others = 0; others < 6; others += 1) {
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByText('● live').waitFor();
      await turnTo(other, true);
    }
    await call(['review', 'latest', 'g1', '--approve'], { cwd });
    expect(await card(page, 'plan.1/ann').count()).toBe(0);
    await page.bringToFront();
    await turnTo(page, false);
    await card(page, 'plan.1/ann', 'completed').waitFor();
  });

  it('shows why a step exists, its attempts and its result', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await card(page, 'plan.1/ann').click();
    const drawer = page.getByRole('complementary', { name: 'plan.1/ann' });
    await drawer.getByText('Say who was here.').waitFor();
    await drawer.getByText('two guests').waitFor();
    await drawer.getByRole('tab', { name: 'attempts' }).click();
    await drawer.getByRole('heading', { name: 'attempt 1: completed' }).waitFor();
    await drawer.getByRole('tab', { name: 'result' }).click();
    await drawer.getByText('"name": "ann"').waitFor();
    await card(page, 'plan').click();
    const planner = page.getByRole('complementary', { name: 'plan' });
    await planner.getByRole('tab', { name: 'packet' }).click();
    await planner.getByText('tokens of context').first().waitFor();
    await planner.getByText('in full: 2 results').waitFor();
  });

  it('works with the keyboard alone', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await card(page, 'plan.1/ann').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('ben');
    await page.locator('.search output', { hasText: '1 of 6' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'plan.1/ben' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('ArrowLeft');
    await page
      .getByRole('status')
      .getByText(/^door, completed/)
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'door', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('complementary').count()).toBe(0);
    await page.keyboard.press('s');
    await page.getByRole('columnheader', { name: 'step' }).waitFor();
    await page.locator('[data-only="failed"]').focus();
    await page.keyboard.press('Enter');
    await page.getByText('no step is failed').waitFor();
    expect(page.url()).toContain('only=failed');
    await page.locator('[data-only="completed"]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /plan › ann/ }).waitFor();
    await page.locator('.search input').fill('ben');
    await page.locator('[data-only="completed"]', { hasText: 'completed 1' }).waitFor();
    expect(await page.locator('.steps tbody tr').count()).toBe(1);
    await page.reload();
    await page.locator('[data-only="completed"][aria-pressed="true"]', { hasText: 'completed 6' }).waitFor();
    await page.getByRole('tab', { name: 'Steps' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.dataset.tab')).toBe('budget');
    expect(page.url()).toContain('view=budget');
    await page.keyboard.press('?');
    expect(await page.evaluate('document.querySelector("dialog").scrollTop')).toBe(0);
    await page.getByRole('dialog').getByText('go to the latest event').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('goes to the list of runs and back, by link, key and the back button', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    await call(['run', 'plan.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await page.locator('.run-row').nth(1).waitFor();
    expect(new URL(page.url()).hash).toBe('#runs');
    const row = page.locator('.run-row').first();
    const id = await row.getAttribute('data-run');
    await row.click();
    await card(page, 'plan.1/ann').waitFor();
    expect(await page.locator('.crumbs code').textContent()).toBe(id);
    await page.keyboard.press('l');
    await page.getByLabel('Search the runs').fill(id ?? '');
    await page.locator('.run-row').nth(1).waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe(`#runs&search=${id}`);
    await page.goBack();
    await card(page, 'plan.1/ann').waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.locator('.run-row').first().waitFor();
  });

  it('draws a run as phases, as cells and as cards, and shows a chosen step so that it can be read', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await page.getByRole('button', { name: '1 Phases' }).click();
    await page.locator('.block[data-phase="plan"]').click();
    await page.locator('.card[data-card="plan.1/ann"]').waitFor();
    await page.keyboard.press('1');
    await page.locator('.block[data-phase="plan"]').waitFor();
    await page.goto(`${page.url()}&step=${encodeURIComponent('plan.1/ben')}`);
    await page.getByRole('complementary', { name: 'plan.1/ben' }).waitFor();
    await page.keyboard.press('0');
    await page.keyboard.press('3');
    await page.locator('.card[data-card="plan.1/ben"]').waitFor();
  });

  it('has a name on everything that can be pressed, and readable text, in the light and the dark theme', async () => {
    const cwd = openDoor({ 'reviewed.yaml': reviewed });
    await call(['run', 'reviewed.yaml'], { cwd });
    const { url } = await serveHere(cwd);
    for (const dark of [false, true]) {
      const page = await openPage(url, { dark });
      await page.getByRole('button', { name: 'Read and approve' }).click();
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
      expect(await page.evaluate(inPage('nameless'))).toEqual([]);
      expect(await page.evaluate(inPage('faint'))).toEqual([]);
    }
  });

  it.each([
    ['that cannot be read', '{', 'cannot be read behind its event'],
    ['that does not follow', '{"step":"nobody"}', 'cannot be shown'],
  ])('shows the issue of a run whose store has an event %s', async (_, payload, said) => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml'], { cwd });
    const database = new DatabaseSync(join(cwd, '.reconverge', 'runs.db'));
    const last = 'SELECT max(version) FROM entries WHERE type = 11'; // step.completed
    database.prepare(`UPDATE entries SET payload = ? WHERE version = (${last})`).run(payload);
    database.close();
    const page = await inspectHere(cwd);
    await page.locator('.issues li', { hasText: said }).waitFor();
    expect(await page.getByText('● live').count()).toBe(1);
  });

  it('shows the name of a template as text, whatever it contains', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const cwd = openDoor();
    const steps = 'steps:\n  - { name: a, handler: door.note, input: { name: a } }\n';
    const head = `reconverge: 1\nname: odd\ndescription: "${name}"\ncapabilities: [./handlers.ts]\n`;
    writeFileSync(join(cwd, 'odd.yaml'), head + steps);
    await call(['run', 'odd.yaml'], { cwd });
    const page = await inspectHere(cwd);
    await see(page, name);
    expect(await page.locator('img').count()).toBe(0);
  });
});
