// The page and its server show the log lines of a step, also while another process drives the run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { KeptLogLine } from '../../src/engine/record/log-line.ts';
import { begin, project, type Running } from '../cli/reconverge.ts';
import { patience } from '../patience.ts';
import { card, chromiumPath, openPage, useBrowser } from './browser.ts';
import { inPage, serveHere } from './inspect.ts';
import { ask, heard, served, type TestServer, token } from './served.ts';

const handlers = `
import { existsSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { defineCapability } from 'reconverge';

export const talk = defineCapability({
  name: 'shop.talk',
  description: 'Logs a lot, and waits for the file open.',
  effects: ['compute'],
  async run(_, ctx) {
    for (let n = 1; n <= 700; n += 1) ctx.log.debug('line ' + n);
    ctx.log.warn('slow page', { ms: 900 });
    while (!existsSync('open')) await pass(10, undefined, { signal: ctx.signal });
    ctx.log.error('<b id="bold">no</b> table', new TypeError('no price'));
    ctx.log.from('ffmpeg').info('done');
    return { rows: 3 };
  },
});
`;

const shop = `reconverge: 1
name: shop
capabilities: [./handlers.ts]
steps:
  - { name: talk, handler: shop.talk, timeout: 10m }
`;

function shopProject(): { readonly cwd: string; readonly open: () => void } {
  const cwd = project({ 'handlers.ts': handlers, 'shop.yaml': shop });
  return { cwd, open: () => writeFileSync(join(cwd, 'open'), '') };
}

async function atTheDoor(cwd: string): Promise<Running> {
  const run = begin(['run', 'shop.yaml'], { cwd });
  await run.said('attempt.started       talk');
  return run;
}

async function linesFrom(server: TestServer, query: string): Promise<readonly KeptLogLine[]> {
  const { status, text } = await ask(server, `/${token}/api/runs/${server.engine.runs()[0]?.id}/logs?${query}`);
  expect(status).toBe(200);
  return JSON.parse(text).lines;
}

describe('the server', () => {
  it('tells a page when there are more lines, and answers with the lines that the page asks for', async () => {
    const { cwd, open } = shopProject();
    const server = await served(undefined, cwd);
    const run = await atTheDoor(cwd);
    await vi.waitFor(() => expect(server.engine.runs()).toHaveLength(1), patience);
    const id = server.engine.runs()[0]?.id;
    await heard(server.url, `run=${id}`, (name, data) => name === 'logs' && data === 701);
    open();
    await heard(server.url, `run=${id}`, (name, data) => name === 'logs' && data === 703);
    await run.ended;
    const numbersIn = async (query: string): Promise<readonly number[]> =>
      (await linesFrom(server, query)).map(({ number }) => number);
    expect(await numbersIn('level=warn')).toEqual([701, 702]);
    expect(await numbersIn('step=talk&last=2')).toEqual([702, 703]);
    expect(await numbersIn('after=702&attempt=1&level=nonsense')).toEqual([703]);
    expect(await numbersIn('before=3&last=1')).toEqual([2]);
    expect(await numbersIn('until=0')).toEqual([]);
    expect(await numbersIn('last=99999')).toHaveLength(703);
    expect((await ask(server, `/${token}/api/runs/nobody/logs`)).status).toBe(404);
  });
});

describe.skipIf(chromiumPath === undefined)('the tab logs of a step', () => {
  useBrowser();

  it('shows the last lines as they are written, by level, with earlier ones on request', async () => {
    const { cwd, open } = shopProject();
    const run = await atTheDoor(cwd);
    const page = await openPage((await serveHere(cwd)).url);
    await card(page, 'talk').click();
    await page.getByRole('tab', { name: 'logs' }).click();
    const log = page.getByRole('log', { name: 'log of talk' });
    await log.getByText('slow page').waitFor();
    expect(await log.locator('.log-line').count()).toBe(500);
    const isAtEnd =
      '(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - scrollTop - clientHeight < 40)(document.querySelector(".log-lines"))';
    await vi.waitFor(async () => expect(await page.evaluate(isAtEnd)).toBe(true), patience);
    open();
    await log.getByText('ffmpeg:').waitFor();
    await log.getByText('<b id="bold">no</b> table', { exact: true }).waitFor();
    expect(await page.locator('#bold').count()).toBe(0);
    await log.getByText('TypeError: no price').waitFor();
    await vi.waitFor(async () => expect(await page.evaluate(isAtEnd)).toBe(true), patience);
    expect(await page.evaluate(inPage('faint'))).toEqual([]);

    await log.getByRole('button', { name: '500 earlier lines' }).click();
    await log.getByText('line 1', { exact: true }).waitFor();
    expect(await log.locator('.log-line').count()).toBe(703);
    expect(await log.getByRole('button', { name: '500 earlier lines' }).count()).toBe(0);

    await page.getByRole('combobox', { name: 'level' }).selectOption('warn');
    await vi.waitFor(async () => expect(await log.locator('.log-line').count()).toBe(2), patience);
    await run.ended;
    await page.close();
  });
});
