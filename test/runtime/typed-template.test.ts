// The compiler's messages for templates in TypeScript, and capabilities that a document brings along.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { defineTemplate } from '../../src/runtime/api/define-template.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { given } from '../../src/testing/given.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'reconverge-types-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** The messages of the compiler by line, for a file that stands in `test/`. */
async function compiled(text: string): Promise<ReadonlyMap<number, string>> {
  const file = join(folder, 'cases.ts');
  writeFileSync(file, text.replaceAll("from '../src/", `from '${root}/src/`));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const options = {
    rewriteRelativeImportExtensions: false,
    noUnusedLocals: false,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions: options, files: [file], include: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const output = await new Promise<string>((resolve) =>
    execFile(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], (_, told) => resolve(told)),
  );
  const found = output.split(/\n(?=\S)/).flatMap((each): [number, string][] => {
    const [, line] = /\((\d+),\d+\): error/.exec(each) ?? [];
    return line === undefined ? [] : [[Number(line), each]];
  });
  return new Map(found);
}

describe('a template in TypeScript', () => {
  it('that is wrong does not compile, with a message at the mistake that names what is meant', async () => {
    const lines = readFileSync(join(root, 'test/typed-templates.ts'), 'utf8').split('\n');
    const marker = '// @ts-expect-error: ';
    const expected = lines.flatMap((line, index) =>
      line.startsWith(marker) ? [[index + 2, line.slice(marker.length)] as const] : [],
    );
    const found = await compiled(lines.map((line) => (line.startsWith(marker) ? '' : line)).join('\n'));
    expect(expected.length).toBeGreaterThan(20);
    const missed = expected.filter(([line, part]) => found.get(line)?.includes(part) !== true);
    expect(missed.map(([line, part]) => ({ line, part, found: found.get(line) }))).toEqual([]);
    expect([...found.keys()].toSorted((a, b) => a - b)).toEqual(expected.map(([line]) => line));
  }, 120_000);

  it('brings the capabilities along that it was defined with', async () => {
    const double = defineCapability({
      name: 'own.double',
      description: 'Doubles a number.',
      input: '{number :int}',
      output: '{number :int}',
      effects: ['pure'],
      run: ({ number }) => ({ number: 2 * number }),
    });
    const template = defineTemplate(
      {
        reconverge: 1,
        name: 'twice',
        input: '{number :int}',
        output: '{{ results.twice }}',
        steps: [{ name: 'twice', handler: 'own.double', input: { number: '{{ input.number }}' } }],
      },
      { capabilities: [double] },
    );
    const engine = createEngine({ journal: openMemoryJournal() });
    const loaded = await engine.load(template);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    const started = await engine.start(loaded.value, { input: { number: 21 } });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    expect((await started.value.done).output).toEqual({ number: 42 });
    await engine.close();
    const stubbed = given(template, { steps: { twice: { number: 7 } } }).when({ number: 1 });
    expect(stubbed.report.output).toEqual({ number: 7 });
  });

  it('must be an object, also for programs without types', () => {
    // @ts-expect-error: a text is no template
    expect(() => defineTemplate('template.yaml')).toThrow('takes a template as an object');
  });
});
