// Writes the declaration files of src/ to a folder; those of schema files are printed, so that no type names TypeBox.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentKeys } from './document-keys.ts';
import { BUILDERS, printTypes, readSchemaTypes } from './schema-types.ts';

const root = join(import.meta.dirname, '..');

export async function emitTypes(folder: string): Promise<void> {
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', folder]);
  rmSync(join(folder, declarationOf(BUILDERS)));
  const types = await readSchemaTypes();
  for (const file of types.files) {
    writeFileSync(join(folder, declarationOf(file.path)), printTypes(file, types));
  }
  await documentKeys(folder);
}

function declarationOf(path: string): string {
  return path.replace(/\.ts$/, '.d.ts');
}

if (import.meta.main) await emitTypes(join(root, 'dist'));
