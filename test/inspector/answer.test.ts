// The answers of the inspector's server: runs, events after the last received one, gates as forms, and decisions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Recorded } from '../../src/engine/record/event.schema.ts';
import type { RunSummary } from '../../src/view/runs/run-summary.ts';
import { ask, heard, own, served, type TestServer, token } from './served.ts';

const asked = `
reconverge: 1
name: asked
steps:
  - name: size
    type: human_review
    prompt: How large shall it be?
    decision:
      type: object
      required: [count, colour]
      properties:
        count: { type: integer, minimum: 1 }
        colour: { enum: [red, green] }
        urgent: { type: boolean }
        note: { type: string }
`;

/** The id of a run that has come to rest. */
async function rested({ engine, folder }: TestServer, text: string): Promise<string> {
  writeFileSync(join(folder, 't.yaml'), text);
  const template = await engine.load('t.yaml');
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const started = await engine.start(template.value);
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  await started.value.done;
  return started.value.id;
}

async function post(
  here: TestServer,
  path: string,
  body: unknown,
): Promise<{ readonly status: number; readonly said: unknown }> {
  const answer = await ask(here, `/${token}/${path}`, {
    method: 'POST',
    headers: own(here),
    body: JSON.stringify(body),
  });
  return { status: answer.status, said: JSON.parse(answer.text) };
}

function versionsIn(data: unknown): readonly number[] {
  return (data as readonly Recorded[]).map(({ version }) => version);
}

it('the stream carries all runs, and the template and every event of one run', async () => {
  const here = await served();
  const run = await rested(here, asked);
  const messages = await heard(here.url, `run=${run}`, (name) => name === 'events');
  const [runs, template, events] = ['runs', 'template', 'events'].map((wanted) =>
    messages.find(({ name }) => name === wanted),
  );
  expect(template?.data).toMatchObject({ name: 'asked' });
  expect(((runs?.data ?? []) as readonly RunSummary[]).map(({ id, status }) => ({ id, status }))).toEqual([
    { id: run, status: 'waiting' },
  ]);
  const versions = versionsIn(events?.data);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
  expect(events?.id).toBe(versions.length);
});

it('the stream continues after the last received event, which the browser or the page names', async () => {
  const here = await served();
  const run = await rested(here, asked);
  const [, byPage] = await heard(here.url, `run=${run}&after=1`, (name) => name === 'events');
  expect(versionsIn(byPage?.data)[0]).toBe(2);
  const response = await fetch(`${here.url}api/stream?run=${run}&after=1`, { headers: { 'last-event-id': '2' } });
  let text = '';
  const parts = response.body?.pipeThrough(new TextDecoderStream());
  if (parts === undefined) throw new Error('there is no answer');
  for await (const part of parts) {
    text += part;
    if (text.includes('event: events') && text.endsWith('\n\n')) break;
  }
  expect(text).toContain('"version":3');
  expect(text).not.toContain('"version":2,');
});

it('the stream carries the events before an unreadable one, and then the reason for its end', async () => {
  const here = await served();
  const run = await rested(here, asked);
  const database = new DatabaseSync(join(here.folder, '.reconverge', 'runs.db'));
  database.exec("UPDATE entries SET payload = '{' WHERE version = 3");
  database.close();
  const told = await heard(here.url, `run=${run}`, (name) => name === 'damage');
  expect(versionsIn(told.find(({ name }) => name === 'events')?.data)).toEqual([1, 2]);
  expect(told.at(-1)?.data).toMatchObject({ code: 'RUN_DAMAGED', message: expect.stringContaining('its event 2') });
});

it('a gate is served as a form, and its contract reads the typed answer', async () => {
  const here = await served();
  const run = await rested(here, asked);
  const form = JSON.parse((await ask(here, `/${token}/api/runs/${run}/gates/g1`)).text);
  expect(form).toMatchObject({
    open: true,
    consent: false,
    prompt: 'How large shall it be?',
    verdicts: ['approve', 'reject', 'answer'],
  });
  expect(form.fields).toMatchObject([
    { name: 'count', required: true },
    { name: 'colour', required: true, choices: ['red', 'green'] },
    { name: 'urgent', required: false, choices: ['yes', 'no'] },
    { name: 'note', required: false },
  ]);
  const wrong = await post(here, `api/runs/${run}/gates/g1`, {
    verdict: 'answer',
    fields: { count: 'many', colour: 'red' },
  });
  expect(wrong).toMatchObject({
    status: 200,
    said: { ok: false, issues: [{ code: 'GATE_ANSWER_INVALID', path: ['count'] }] },
  });
  const fields = { count: '3', colour: 'green', urgent: 'yes', note: '' };
  expect(await post(here, `api/runs/${run}/gates/g1`, { verdict: 'answer', fields })).toMatchObject({
    status: 200,
    said: { ok: true },
  });
  await heard(
    here.url,
    '',
    (name, data) => name !== 'total' && (data as readonly RunSummary[])[0]?.status === 'completed',
  );
  const record = here.engine.read(run);
  expect(record.ok && record.value.state.steps.get('size')?.result).toEqual({
    value: { count: 3, colour: 'green', urgent: true },
  });
  expect(record.ok && record.value.events.find(({ event }) => event.type === 'gate.decided')?.event).toMatchObject({
    by: 'ann',
  });
});

it('an invalid decision, an unknown gate and an unknown run are refused with a reason', async () => {
  const here = await served();
  const run = await rested(here, asked);
  const refused = async (path: string, body: unknown): Promise<unknown> => {
    const { status, said } = await post(here, path, body);
    expect(status).toBe(200);
    return said;
  };
  const issue = (code: string) => ({ ok: false, issues: [{ code }] });
  expect(await refused(`api/runs/${run}/gates/g1`, { verdict: 'perhaps' })).toMatchObject(issue('INPUT_INVALID'));
  expect(await refused(`api/runs/${run}/gates/g1`, { verdict: 'edit', plan: '{}' })).toMatchObject(
    issue('GATE_VERDICT_INVALID'),
  );
  expect(await refused(`api/runs/${run}/gates/g9`, { verdict: 'approve' })).toMatchObject(issue('GATE_UNKNOWN'));
  expect(await refused('api/runs/nowhere/gates/g1', { verdict: 'approve' })).toMatchObject(issue('RUN_UNKNOWN'));
  expect(await refused(`api/runs/${run}/orders`, { order: 'dance' })).toMatchObject(issue('INPUT_INVALID'));
});

it('a cancel order cancels the run', async () => {
  const here = await served();
  const run = await rested(here, asked);
  expect(await post(here, `api/runs/${run}/orders`, { order: 'cancel', why: 'enough' })).toMatchObject({ status: 200 });
  expect(here.engine.runs()).toMatchObject([{ id: run, status: 'cancelled' }]);
});

it('large values are served by their digest', async () => {
  const here = await served();
  const run = await rested(here, asked);
  const record = here.engine.read(run);
  const first = record.ok ? record.value.events[0]?.event : undefined;
  const digest = first?.type === 'run.started' ? first.template : '';
  expect(JSON.parse((await ask(here, `/${token}/api/blobs/${digest}`)).text)).toMatchObject({ name: 'asked' });
  expect((await ask(here, `/${token}/api/blobs/${'x'.repeat(22)}`)).status).toBe(404);
});
