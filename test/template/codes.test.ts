// Every code that this folder can find is earned by a case.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

it('has a case or a test for every code', () => {
  const inSource = read('src/template/**/*.ts').matchAll(/(?:issue|refuse|missingKey)\(\s*'([A-Z]+(?:_[A-Z]+)+)'/g);
  const codes = [...new Set([...inSource].map((match) => match[1] ?? ''))];
  const earned = `${read('test/template/**/*.{txt,test.ts}')}\n${read('test/cli/validate-advice.test.ts')}`;
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => !earned.includes(code))).toEqual([]);
});
