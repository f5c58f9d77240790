// The page shows what a model writes for a step while it writes it, and what was done about the orders of a mission.
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { openHeldModel } from '../cli/held-model.ts';
import { begin, project, type Running } from '../cli/reconverge.ts';
import { patience } from '../patience.ts';
import { card, chromiumPath, openPage, useBrowser } from './browser.ts';
import { inPage, serveHere } from './inspect.ts';

const template = `reconverge: 1
name: story
models: { default: { model: small, base_url: "\${env.MODEL_URL}", prices: { input: $0, output: $0 } } }
steps:
  - { name: tell, agent: default, description: Tell a story. }
  - { name: other, agent: default, dependencies: [tell], description: Tell another one. }
`;

async function pageOf(run: Running): Promise<Page> {
  await run.said('inspector: http');
  return openPage(/http:\S+/.exec(run.stderr())?.[0] ?? '');
}

describe.skipIf(chromiumPath === undefined)('the page', () => {
  useBrowser();

  it('shows the text of a running step, bounded and as text, and drops it when the call ends', async () => {
    const model = await openHeldModel();
    const cwd = project({ 'story.yaml': template });
    const run = begin(['run', 'story.yaml', '--ui', '--port', '0'], { cwd, env: { MODEL_URL: model.url } });
    const page = await pageOf(run);
    const held = await model.next();
    held.say('<think>They want RRR.</think>Once upon a time <b id="bold">there</b> was ');
    await card(page, 'tell').click();
    const live = page.getByRole('log', { name: 'call 1.1: the model default writes (turn)' });
    await live.getByText('Once upon a time <b id="bold">there</b> was', { exact: true }).waitFor();
    expect(await page.locator('#bold').count()).toBe(0);
    expect(await page.evaluate(inPage('faint'))).toEqual([]);
    held.say(`${'a long harbor '.repeat(1_000)}and its end.`);
    await live.getByText('and its end').waitFor();
    const shown = (await live.textContent()) ?? '';
    expect(shown.length).toBeLessThan(4_100);
    expect(shown).toMatch(/^… /);
    expect(await page.locator('body').textContent()).not.toContain('RRR');
    const isAtEnd = 'document.querySelector(".live-body").scrollTop > 100';
    await vi.waitFor(async () => expect(await page.evaluate(isAtEnd)).toBe(true), patience);

    held.end();
    await live.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'result' }).click();
    await page.getByText('Once upon a time').first().waitFor();
    const next = await model.next();
    next.say('Another one.');
    next.end();
    await run.said('goes on serving until Ctrl-C');
    await page.close();
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(0);
  });

  it('shows the text of a model whose run goes on by an order of the page, also to a page that is opened later', async () => {
    const model = await openHeldModel();
    const cwd = project({ 'story.yaml': template.replace('${env.MODEL_URL}', model.url) });
    const { url, engine } = await serveHere(cwd);
    const loaded = await engine.load('story.yaml');
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const started = await engine.start(loaded.value);
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    (await model.next()).reply({ content: 'Once upon a time.' });
    const second = await model.next();
    started.value.stop();
    started.value.stop();
    await started.value.done;
    second.end();

    const first = await openPage(url);
    await first.getByRole('button', { name: 'resume' }).click();
    const third = await model.next();
    third.say('It goes on with a second story ');
    const page = await openPage(url);
    for (const each of [first, page]) {
      await card(each, 'other').click();
      await each.getByRole('log').getByText('It goes on with a second story').waitFor();
    }
    third.end();
    await page.locator('.run-head[data-status="completed"]').waitFor();
  });

  it('says that an order of a mission was not done, lists the orders, and leads to the steps', async () => {
    const { url, engine } = await serveHere(project());
    const step = { name: 'refund_it', capability: 'refund', input: { order: 7 }, description: 'Refund order 7' };
    const outcome = await engine.execute(
      { rationale: 'one call', steps: [step] },
      'Refund order 7 and send a mail to Anna',
      {
        availableTools: { refund: 'Refund an order. Input: {order :int}. Output: {order :int}' },
        baseTools: { refund: ({ order }: { order: number }) => ({ order }) },
      },
    );
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    const page = await openPage(url);
    await page.getByRole('heading', { name: 'Done in part: 1 order of the goal not done' }).waitFor();
    await page.getByRole('button', { name: '1 of 2 orders of the goal done' }).click();
    const orders = page.getByRole('dialog', { name: 'Orders of the goal' });
    await orders.locator('[data-order="not_done"]', { hasText: 'send a mail to Anna' }).waitFor();
    const done = orders.locator('[data-order="done"]');
    expect(await done.textContent()).toContain('Refund order 7');
    await done.getByText(/refund_it/).click();
    await page.getByRole('complementary', { name: /refund_it/ }).waitFor();
    await orders.waitFor({ state: 'detached' });
  });
});
