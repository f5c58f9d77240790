// Advice from validate: templates that load but will not do what their authors mean.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, project } from './reconverge.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The messages and the exit code. */
async function validated(template: string, ...flags: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'reconverge-advice-'));
  folders.push(cwd);
  writeFileSync(join(cwd, 't.yaml'), `reconverge: 1\nname: advised\n${template}`);
  const { code, stderr } = await call(['validate', 't.yaml', ...flags], { cwd });
  const lines = stderr.split('\n').map((line) => line.trim());
  const found = lines.filter((line) => /^t\.yaml:|^hint:/.test(line)).map((line) => line.replace(/^t\.yaml:/, ''));
  return { code, found };
}

const plan = (planner: string, more = ''): string => `capabilities: [catalog]
steps:
  - name: plan
    type: planning
${more}    planner: ${planner}
    convergence_target: finish
  - { name: finish, type: deferred, dependencies: [plan] }
`;

describe('validate', () => {
  it('reviews the plans of fixed planners, with their lines', async () => {
    const fragment = `
      kind: fixed
      fragment:
        steps:
          - { name: look, capability: csv.snif, input: { path: a.csv } }
          - { name: tell, capability: text.count, input: { path: '{{ results.lok.path }}' }, verification: '(pos? (' }`;
    const { code, found } = await validated(plan(fragment));
    expect(code).toBe(1);
    expect(found).toEqual([
      expect.stringMatching(/^11:39: error FRAGMENT_UNKNOWN_CAPABILITY: step "look" calls "csv.snif"/),
      expect.stringMatching(/^hint: did you mean "csv.sniff"/),
      expect.stringMatching(/^12:66: error REFERENCE_UNKNOWN: no step "lok"/),
      'hint: did you mean "look"?',
      expect.stringMatching(/^12:115: error LISP_PARSE: /),
      'hint: add ")"',
    ]);
  });

  it('reports faults of a fixed plan as warnings if the run can repair them', async () => {
    const fragment = `{ kind: fixed, fragment: { steps: [{ name: a, capability: csv.snif }] }, repair: !lisp '{:steps []}' }`;
    const { code, found } = await validated(plan(fragment));
    expect(code).toBe(0);
    expect(found[0]).toMatch(/warning FRAGMENT_UNKNOWN_CAPABILITY/);
  });

  it('reports an allow list that matches nothing', async () => {
    const { code, found } = await validated(
      plan('{ kind: fixed, fragment: { steps: [] } }', '    allow: [files.read, "cvs.*"]\n'),
    );
    expect(code).toBe(0);
    expect(found).toEqual([
      expect.stringMatching(/^7:\d+: warning GRANT_MATCHES_NOTHING: "cvs\.\*" matches no granted capability/),
      'hint: did you mean "csv.*"?',
    ]);
  });

  it('gives no advice about modules of an untrusted template', async () => {
    const { found } = await validated(
      plan('{ kind: fixed, fragment: { steps: [] } }', '    allow: ["cvs.*"]\n'),
      '--untrusted',
    );
    expect(found.filter((line) => line.includes('GRANT_MATCHES_NOTHING'))).toEqual([]);
  });

  it('reports a template without steps', async () => {
    const { found } = await validated('steps: []\n');
    expect(found[0]).toMatch(/warning STEPS_EMPTY: the template has no steps/);
  });

  it('reports a key written in plain text, without showing it', async () => {
    const key = `sk-${'a1B2'.repeat(8)}`;
    const { found } = await validated(
      `models: { default: { provider: openai, model: gpt-5-mini, api_key: ${key} } }\ncapabilities: [catalog]\nsteps:\n  - { name: a, handler: text.count, input: { path: notes.txt } }\n`,
    );
    expect(found[0]).toMatch(/^3:\d+: warning SECRET_WRITTEN: this text looks like a secret key/);
    expect(found.join()).not.toContain(key);
  });

  it('gives the same advice about included files, with their own lines', async () => {
    const key = `sk-${'a1B2'.repeat(8)}`;
    const cwd = project({
      't.yaml': 'reconverge: 1\nname: t\ninclude: [./parts/more.yaml]\ncapabilities: [catalog]\nsteps: []\n',
      'parts/more.yaml': `steps:
  - { name: a, capability: text.count, input: { path: "(first (:files data/input))" } }
  - { name: b, handler: text.count, input: { path: ${key} } }
  - name: plan
    type: planning
    allow: ["cvs.*"]
    planner: { kind: fixed, fragment: { steps: [{ name: c, capability: csv.snif, input: { path: a.csv } }] } }
    convergence_target: finish
  - { name: finish, type: deferred, dependencies: [plan] }
`,
    });
    const { code, stderr } = await call(['validate', 't.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stderr).not.toContain('STEPS_EMPTY');
    for (const found of [
      /parts\/more\.yaml:2:\d+: warning LISP_UNMARKED/,
      /parts\/more\.yaml:2:\d+: warning SPELLING_OUTDATED/,
      /parts\/more\.yaml:3:\d+: warning SECRET_WRITTEN/,
      /parts\/more\.yaml:6:\d+: warning GRANT_MATCHES_NOTHING/,
      /parts\/more\.yaml:7:\d+: error FRAGMENT_UNKNOWN_CAPABILITY/,
    ])
      expect(stderr).toMatch(found);
    const untrusted = await call(['validate', 't.yaml', '--untrusted'], { cwd });
    expect(untrusted.stderr).toMatch(/SECRET_WRITTEN: the file "parts\/more\.yaml" has an error, in line 3/);
    expect(untrusted.stdout + untrusted.stderr).not.toContain(key);
  });

  it('reports a text that begins like Lisp', async () => {
    const { found } = await validated(
      `capabilities: [catalog]\nsteps:\n  - { name: a, handler: text.count, input: { path: '(first (:files data/input))' } }\n  - { name: b, handler: text.count, dependencies: [a], input: { path: '(see the notes).txt' } }\n`,
    );
    expect(found).toEqual([
      expect.stringMatching(/^5:\d+: warning LISP_UNMARKED: /),
      'hint: write !lisp before it to evaluate it',
    ]);
  });

  it('reports SPELLING_OUTDATED with the present spelling for each older one, which still works', async () => {
    const { code, found } = await validated(
      `capabilities: [catalog]
input_schema: { type: object }
steps:
  - { name: a, capability: text.count, input: { path: a.txt }, max_retries: 2, on_failure: retry, type: standard }
  - { name: b, tool: text.count, input: { path: b.txt }, depends_on: [a], approval: true }
  - name: plan
    type: planning
    requires: [b]
    plan_review: false
    planner: { kind: lisp, source: !lisp '{:steps (take (get-in data/packet [:budget :fragment_steps]) [])}' }
    convergence_target: finish
  - { name: finish, type: deferred, after: [plan] }
`,
    );
    expect(code).toBe(0);
    expect(found.filter((line) => line.startsWith('hint')).sort()).toEqual(
      [
        'hint: write "input"',
        'hint: write "handler"',
        'hint: write type: task',
        'hint: write "retry: { max_attempts: 3 }"',
        'hint: write "handler"',
        'hint: write "dependencies"',
        'hint: write "approval: always"',
        'hint: write "dependencies"',
        'hint: write "plan_review: never"',
        'hint: write ":max_fragment_steps"',
        'hint: write "dependencies"',
      ].sort(),
    );
  });
});
