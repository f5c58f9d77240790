// A missing optional package is told from a package that is there and cannot be loaded.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { isPackageMissing, missingText } from '../../src/base/missing-package.ts';

/** A real import from a file in a folder with the package `present`, which needs a package that is missing. */
async function failedImport(name: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'missing-'));
  const present = join(folder, 'node_modules/present');
  mkdirSync(present, { recursive: true });
  writeFileSync(join(present, 'package.json'), '{"name":"present","type":"module","exports":"./index.js"}');
  writeFileSync(join(present, 'index.js'), "import 'absent';");
  const file = join(folder, 'asks.mjs');
  writeFileSync(file, `import '${name}';`);
  return import(pathToFileURL(file).href).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

test('a package counts as missing when it is not installed itself', async () => {
  expect(isPackageMissing(await failedImport('absent'), 'absent')).toBe(true);
  expect(isPackageMissing(await failedImport('present'), 'present')).toBe(false);
});

test('other errors are no missing package', () => {
  expect(isPackageMissing(new Error("Cannot find package 'absent'"), 'absent')).toBe(false);
  expect(isPackageMissing('absent', 'absent')).toBe(false);
});

test('the text of a missing package says what to type', () => {
  expect(missingText('server "files"', '@modelcontextprotocol/client')).toBe(
    'server "files" needs the package @modelcontextprotocol/client, which is not installed; run "npm install @modelcontextprotocol/client" in your project',
  );
});
