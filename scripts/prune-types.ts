// Removes compiled types that no entry point of the package reaches.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const dist = join(import.meta.dirname, '../dist');
const kept = new Set<string>();
const { exports } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
for (const door of Object.values(exports)) if (typeof door === 'object') keep(join(dist, '..', door.types));
for (const file of globSync('**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file);
  if (!kept.has(path)) rmSync(path);
}

function keep(file: string): void {
  if (kept.has(file)) return;
  kept.add(file);
  const named = readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.[jt]s['"]/g);
  for (const [, path] of named) keep(resolve(dirname(file), `${path}.d.ts`));
}
