// Support for editors: a schema that knows the capabilities of a template, and validation on each change.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { begin, call, openDoor, project } from './reconverge.ts';

const template = (step: string): string => `
reconverge: 1
name: small
capabilities: [text.count, ./handlers.ts]
steps:
  - { name: first, ${step} }
`;

/** Returns a function that validates a step against the printed schema of the project. */
async function judged(...words: readonly string[]): Promise<(step: string) => boolean> {
  const cwd = openDoor({ 'small.yaml': template('handler: door.note') });
  const { code, stdout } = await call(['schema', ...words, '--with-capabilities', 'small.yaml'], { cwd });
  expect(code).toBe(0);
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(stdout));
  return (step) => validate(parse(template(step), { logLevel: 'silent' }));
}

describe('schema --with-capabilities', () => {
  it('knows the names of the granted capabilities, and no others', async () => {
    const takes = await judged();
    expect(takes('handler: door.note, input: { name: ann }')).toBe(true);
    expect(takes('handler: { callable: door.note }, input: { name: ann }')).toBe(true);
    expect(takes('handler: csv.read, input: { path: a.csv }')).toBe(false);
    expect(takes('tool: door.knock, input: { name: ann }')).toBe(false);
  });

  it('knows the input of each capability', async () => {
    const takes = await judged();
    expect(takes('handler: text.count, input: { path: notes.txt }')).toBe(true);
    expect(takes('handler: text.count, input: { pathh: notes.txt }')).toBe(false);
    expect(takes('handler: door.note, input: { name: 7 }')).toBe(false);
  });

  it('accepts a reference or Lisp for any value', async () => {
    const takes = await judged();
    expect(takes('handler: door.note, input: "{{ results.a }}"')).toBe(true);
    expect(takes('handler: door.note, input: { name: { $lisp: "(str 1)" } }')).toBe(true);
  });

  it('works for a template with invalid steps, and refuses a template whose modules do not load', async () => {
    const cwd = project({
      'half.yaml': 'reconverge: 1\ncapabilities: [catalog]\nsteps:\n  - {}\n',
      'gone.yaml': 'capabilities: [./gone.ts]\n',
    });
    expect((await call(['schema', '--with-capabilities', 'half.yaml'], { cwd })).code).toBe(0);
    const { code, stderr } = await call(['schema', '--with-capabilities', 'gone.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('MODULE_NOT_FOUND');
  });

  it('exists only for formats with steps', async () => {
    expect((await call(['schema', 'event', '--with-capabilities', 'x.yaml'])).code).toBe(2);
  });
});

describe('validate --watch', () => {
  it('validates again when a file or a module that the file names changes, and ends normally', async () => {
    const cwd = openDoor();
    const watching = begin(['validate', 'plan.yaml', '--watch'], { cwd });
    await watching.said('watching');
    writeFileSync(join(cwd, 'plan.yaml'), template('handler: door.notes'));
    await watching.said('CAPABILITY_UNKNOWN');
    writeFileSync(join(cwd, 'handlers.ts'), 'export const nothing = 1;\n');
    await watching.said('MODULE_WITHOUT_CAPABILITY');
    watching.child.kill('SIGINT');
    const { code, stdout } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('plan.yaml: ok');
  });
});
