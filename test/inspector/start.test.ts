// Starting templates of the project from the page: the list, the form, the bound, the start, and what is refused.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { patience } from '../patience.ts';
import { type Answer, ask, own, served, type TestServer, token } from './served.ts';

const template = `reconverge: 1
name: start
description: Doubles a number.
input: { type: object, required: [number], properties: { number: { type: integer }, loud: { type: boolean } } }
models: { default: { model: gpt-5-mini } }
budget: { max_total_steps: 20 }
steps:
  - { name: twice, type: compute, expr: "(* 2 (:number data/input))" }
  - { name: check, type: human_review, prompt: "is {{ results.twice }} right?", dependencies: [twice] }
output: "{{ results.twice }}"
`;

async function serving(): Promise<TestServer> {
  const here = await served();
  writeFileSync(join(here.folder, 'start.yaml'), template);
  return here;
}

const get = async (here: TestServer, path: string): Promise<Answer & { readonly said: unknown }> => {
  const answer = await ask(here, `/${token}/${path}`, { headers: own(here) });
  return { ...answer, said: answer.text.startsWith('{') ? JSON.parse(answer.text) : answer.text };
};
const post = async (here: TestServer, path: string, body: object) => {
  const answer = await ask(here, `/${token}/${path}`, {
    method: 'POST',
    headers: own(here),
    body: JSON.stringify(body),
  });
  return { status: answer.status, said: JSON.parse(answer.text) };
};

const file = 'start.yaml';

describe('a start from the page', () => {
  it('has a form from the input contract, with the limits, models and planners of the template', async () => {
    const here = await serving();
    expect((await get(here, 'api/templates')).said).toMatchObject({
      templates: expect.arrayContaining([{ file, name: 'start', description: 'Doubles a number.' }]),
    });
    expect((await get(here, `api/start?file=${file}`)).said).toMatchObject({
      ...{ file, name: 'start' },
      fields: [
        { name: 'number', required: true, wanted: 'a whole number' },
        { name: 'loud', required: false, choices: ['yes', 'no'] },
      ],
      limits: expect.arrayContaining([{ key: 'max_total_steps', limit: '20' }]),
      models: [{ profile: 'default', model: 'gpt-5-mini' }],
    });
  });

  it('says the bound of the typed settings as explain does, and what is wrong with the input', async () => {
    const here = await serving();
    const { said } = await post(here, 'api/bound', { file, fields: { number: 'x' }, budget: { max_total_steps: '7' } });
    const text = said.lines
      .map((line: readonly { text: string }[]) => line.map((each) => each.text).join(''))
      .join('\n');
    expect(text).toContain('no run uses more than at worst:');
    expect(text).toMatch(/It may ask people:\n.*\ncheck +review +always/);
    expect(said.issues).toMatchObject([{ code: 'INPUT_INVALID', path: ['input', 'number'] }]);
    expect(said.issues[0]).not.toHaveProperty('hint');
    const refused = await post(here, 'api/bound', { file, budget: { max_steps: '7' }, models: { best: 'x' } });
    expect(refused.said).toMatchObject({ ok: false, issues: [{ code: 'MODEL_UNKNOWN' }] });
    expect(here.engine.runs()).toEqual([]);
  });

  it('drives the new run here once per key, and can run it again with the input that it had', async () => {
    const here = await serving();
    const order = {
      file,
      fields: { number: '21', loud: 'yes' },
      budget: { max_total_steps: '9' },
      key: 'k',
      by: 'eve',
    };
    const { said } = await post(here, 'api/starts', order);
    expect(said).toMatchObject({ ok: true, pending: false });
    expect((await post(here, 'api/starts', order)).said).toEqual(said);
    await vi.waitFor(() => expect(here.engine.runs()).toMatchObject([{ id: said.run, status: 'waiting' }]), patience);
    const record = here.engine.read(said.run);
    expect(record.ok && record.value.state).toMatchObject({
      startedBy: 'eve',
      input: { value: { number: 21, loud: true } },
      template: { budget: { limit: { steps: 9 } } },
    });
    expect((await get(here, `api/start?run=${said.run}`)).said).toMatchObject({
      file,
      fields: [
        { name: 'number', value: '21' },
        { name: 'loud', value: 'yes' },
      ],
    });
  });

  it('is planned by a model instead, or by another model, when the page says so', async () => {
    const here = await serving();
    const planned = `
  - name: plan
    type: planning
    convergence_target: end
    planner: { kind: lisp, source: !lisp '{:steps []}' }
  - { name: end, type: deferred, dependencies: [plan], convergence: { policy: all_settled } }`;
    writeFileSync(join(here.folder, file), template.replace('\nsteps:', `\nsteps:${planned}`));
    const settings = { file, fields: { number: '1' }, models: { default: 'gpt-5' } };
    const bound = async (planners: object) =>
      JSON.stringify((await post(here, 'api/bound', { ...settings, planners })).said);
    const own = await bound({});
    expect(own).toContain('llm_calls');
    expect(await bound({ plan: 'default' })).not.toBe(own);
    expect(await bound({ pan: 'default' })).toMatch(/PLANNER_STEP_UNKNOWN.*plan/);
  });

  it.each(['../start.yaml', '/etc/passwd', 'templates/../../start.yaml', 'handlers.ts', ''])(
    'is refused for %o, which is no template of the project',
    async (outside) => {
      const here = await serving();
      for (const path of ['api/bound', 'api/starts'])
        expect((await post(here, path, { file: outside })).said).toMatchObject({
          ok: false,
          issues: [{ code: 'TEMPLATE_NOT_IN_PROJECT' }],
        });
      expect((await get(here, `api/start?file=${encodeURIComponent(outside)}`)).status).toBe(404);
      expect(here.engine.runs()).toEqual([]);
    },
  );

  it('is refused without the token, from another origin, and with keys that it does not know', async () => {
    const here = await serving();
    const body = JSON.stringify({ file, fields: { number: '1' } });
    const from = { ...own(here), origin: 'http://evil.example' };
    expect((await ask(here, `/${token}/api/starts`, { method: 'POST', headers: from, body })).status).toBe(403);
    expect((await ask(here, '/other/api/starts', { method: 'POST', headers: own(here), body })).status).toBe(403);
    expect((await post(here, 'api/starts', { file, folder: '/' })).said).toMatchObject({ ok: false });
    expect(here.engine.runs()).toEqual([]);
  });

  it('never fills in what was redacted', async () => {
    const here = await serving();
    writeFileSync(
      join(here.folder, file),
      template
        .replace(
          'required: [number], properties: { number: { type: integer }',
          'required: [word], properties: { word: { type: string }',
        )
        .replace('(* 2 (:number data/input))', '1'),
    );
    const { said } = await post(here, 'api/starts', { file, fields: { word: 'a *** b' } });
    const form = await get(here, `api/start?run=${said.run}`);
    expect(form.said).toMatchObject({ fields: [{ name: 'word', required: true }, { name: 'loud' }] });
    expect(form.text).not.toContain('***');
    expect(readFileSync(join(here.folder, file), 'utf8')).toContain('word');
  });
});
