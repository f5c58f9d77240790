// Bundles the command line and writes the references before tests that start it, because a start from source strips the types of a thousand files.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundle } from '../scripts/bundle.ts';
import { writeQuickReferences } from '../scripts/generate/references.ts';
import { builtPage } from '../src/inspector/server/built-page.ts';
import { readSources, root } from './sources.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with the bundles of this suite. */
    readonly bundles: string;
  }
}

const HOUR = 3_600_000;

/** Bundles and page stay until the sources change; suites that run at the same time share them. */
export async function setup(project: TestProject): Promise<void> {
  const name = `dist-test-${fingerprint()}`;
  const folder = join(root, name);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    removeOldBundles();
    await bundle(name, { host: join(root, 'test/cli/host.ts') });
    writeFileSync(complete, '');
  }
  writeQuickReferences(root);
  await builtPage(() => undefined);
  project.provide('bundles', folder);
}

function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const scripts = [...readSources('scripts', /^bundle\.ts$/), ...readSources('scripts/bundle')];
  for (const { path, text } of [...readSources('src', /\.(?:tsx?|js)$/), ...readSources('test/cli'), ...scripts]) {
    hash.update(path).update(text);
  }
  return hash.digest('hex').slice(0, 12);
}

/** A suite that still runs keeps its bundles: only those of an hour ago go. */
function removeOldBundles(): void {
  for (const name of readdirSync(root).filter((each) => each.startsWith('dist-test-'))) {
    const age = Date.now() - statSync(join(root, name)).mtimeMs;
    if (age > HOUR) rmSync(join(root, name), { recursive: true, force: true });
  }
}
