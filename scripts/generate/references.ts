// Collects the generated references: every page of docs/reference, which the package and the site contain and git ignores.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiReference } from './api-reference.ts';
import { capabilityReference } from './capability-reference.ts';
import { cliReference } from './cli-reference.ts';
import { errorReference } from './error-reference.ts';
import { eventReference } from './event-reference.ts';
import { lispReference } from './lisp-reference.ts';
import { type Pages, page } from './pages.ts';
import { telemetryReference } from './telemetry-reference.ts';
import { templateReference } from './template-reference.ts';

const index = page(
  '# Reference',
  '',
  'Complete lists, built from the code by `npm run reference`. To learn how to do something, read the guides, from [Quickstart](../quickstart.md) on.',
  '',
  '| reference | lists |',
  '|---|---|',
  '| [Template](template/README.md) | every key of a template |',
  '| [Lisp](lisp/README.md) | every form and function of the expression language |',
  '| [Capabilities](capabilities/README.md) | every capability of the built-in catalog |',
  '| [Command line](cli/README.md) | every command with its flags, examples and JSON answers |',
  '| [API](api/README.md) | every export of the package |',
  '| [Errors](errors.md) | every code, its meaning and its fix |',
  '| [Events](events.md) | every event of a run |',
  '| [Telemetry](telemetry.md) | every span, attribute and metric |',
);

/** All pages but those of the API, which need the compiler. */
export function quickReferences(root: string): Pages {
  return {
    'README.md': index,
    ...templateReference(),
    ...lispReference(),
    ...capabilityReference(),
    ...cliReference(),
    'errors.md': errorReference(readFileSync(join(root, 'docs/errors.md'), 'utf8')),
    'events.md': eventReference(),
    'telemetry.md': telemetryReference(),
  };
}

/** Writes all pages to docs/reference, and removes pages that exist no more. Returns the number of files that changed. */
export async function writeReferences(root: string): Promise<number> {
  const folder = join(root, 'docs/reference');
  const pages: Pages = { ...quickReferences(root), ...(await apiReference()) };
  const changed = writePages(folder, pages);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const isStale = !Object.hasOwn(pages, path.replaceAll('\\', '/')) && statSync(join(folder, path)).isFile();
    if (isStale) rmSync(join(folder, path));
  }
  return changed;
}

/** Writes the pages that tests read. */
export function writeQuickReferences(root: string): void {
  writePages(join(root, 'docs/reference'), quickReferences(root));
}

/** A reader never sees half of a page: other processes may read and write the same pages. */
function writePages(folder: string, pages: Pages): number {
  const changed = Object.entries(pages).filter(([path, text]) => textOf(join(folder, path)) !== text);
  for (const [path, text] of changed) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  return changed.length;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
