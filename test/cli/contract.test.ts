// contract check: compares two contracts from files or from arguments, for people and for machines.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from './reconverge.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const check = (...words: string[]) => call(['contract', 'check', ...words]);

describe('contract check', () => {
  it('exits with 0 for contracts that fit', async () => {
    expect(await check('{id :int, name :string}', '{id :number}')).toMatchObject({ code: 0, stdout: 'satisfies\n' });
  });

  it('exits with 1 for contracts that do not fit, and places each reason', async () => {
    const { code, stdout } = await check('{orders [{id :int?, total :number}]}', '{orders [{id :int, total :int}]}');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'does not satisfy\n' +
        '  orders.*.id: "id" is optional, but the contract requires it\n' +
        '  orders.*.total: may have a fraction, but a whole number is required\n',
    );
  });

  it('answers --json with the documented shape', async () => {
    const { code, stdout } = await check(':string', ':"a"|:"b"', '--json');
    const answer = JSON.parse(stdout);
    expect([code, answer]).toEqual([
      1,
      { satisfies: false, reasons: [{ path: '', message: 'may be any string, but only listed values are allowed' }] },
    ]);
    expect(JSON.parse((await check('{}', '{}', '--json')).stdout)).toEqual({ satisfies: true, reasons: [] });
  });

  it('reads schemas and signatures from files', async () => {
    const cwd = folderWith({
      'out.json': '{"type": "object", "required": ["a"], "properties": {"a": {"enum": [1, 2]}}}',
      'in.yaml': 'type: object\nrequired: [a]\nproperties: { a: { type: integer, minimum: 1 } }\n',
      'in.sig': '{a :int}\n',
    });
    expect((await call(['contract', 'check', 'out.json', 'in.yaml'], { cwd })).code).toBe(0);
    expect((await call(['contract', 'check', 'out.json', 'in.sig'], { cwd })).code).toBe(0);
    expect((await call(['contract', 'check', 'in.yaml', 'out.json'], { cwd })).code).toBe(1);
    expect((await call(['contract', 'check', 'in.yaml', 'none.json'], { cwd })).code).toBe(2);
  });

  it('compares the output of one function with the input of another', async () => {
    const closed =
      '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}';
    expect((await check(closed, '(a :number) -> :string')).code).toBe(0);
    expect((await check('(x :int) -> :string', ':string')).code).toBe(0);
    expect((await check('(x :int) -> :int', '(y :int) -> :int')).code).toBe(1);
  });

  it('reports an invalid contract with its place', async () => {
    const cwd = folderWith({ 'bad.yaml': 'type: object\nproperties: { a: { typ: integer } }\n' });
    const { code, stderr } = await call(['contract', 'check', 'bad.yaml', ':any'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('bad.yaml:2:25: error CONTRACT_KEYWORD_UNSUPPORTED');
    expect((await check('{a :strin}', ':any')).stderr).toContain('SIGNATURE_SYNTAX');
  });

  it('refuses any other action', async () => {
    expect(await call(['contract', 'chek', ':any', ':any'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('use contract check'),
    });
  });
});
