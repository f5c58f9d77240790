// The types that the build prints from schema files: programs are given them, and the source is compiled with the inferred ones.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emitTypes } from '../scripts/emit-types.ts';
import { readSchemaTypes } from '../scripts/schema-types.ts';
import { root } from './sources.ts';

const COMPILING = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'reconverge-types-'));

beforeAll(() => emitTypes(folder), COMPILING);
afterAll(() => rmSync(folder, { recursive: true }));

it('no emitted type names TypeBox', () => {
  const naming = globSync('**/*.d.ts', { cwd: folder }).filter((path) =>
    /typebox|words\.schema/i.test(readFileSync(join(folder, path), 'utf8')),
  );
  expect(naming).toEqual([]);
});

it(
  'a printed type and the inferred one are assignable both ways',
  async () => {
    const { files } = await readSchemaTypes();
    const compared = files.flatMap(({ path, inferred }, nth) =>
      inferred.length === 0
        ? []
        : [
            `import type * as Source${nth} from '${relative(folder, join(root, 'src', path))}';`,
            `import type * as Printed${nth} from './${path}';`,
            ...inferred.map(
              ({ name }) => `export const same${name}: Same<Source${nth}.${name}, Printed${nth}.${name}> = true;`,
            ),
          ],
    );
    expect(compared.length).toBeGreaterThan(10);
    const same = 'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;';
    writeFileSync(join(folder, 'compared.ts'), [same, ...compared].join('\n'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] };
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: ['compared.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(compile(join(folder, 'tsconfig.json'))).toBe('');
  },
  COMPILING,
);

/** The complaints of the compiler. */
function compile(config: string): string {
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { encoding: 'utf8' });
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
}
