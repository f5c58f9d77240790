// Builds the extension into dist/: the bundled program, the grammars, and the licenses of the bundled packages.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { grammars } from './grammar.ts';

const home = import.meta.dirname;
const dist = join(home, 'dist');
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const { metafile } = await build({
  absWorkingDir: home,
  entryPoints: ['src/extension.ts'],
  outfile: join(dist, 'extension.cjs'),
  bundle: true,
  platform: 'node',
  // The Node of VS Code 1.91, the oldest that the client takes.
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  minify: true,
  legalComments: 'none',
  metafile: true,
});
for (const [name, grammar] of Object.entries(grammars)) {
  writeFileSync(join(dist, `${name}.json`), `${JSON.stringify(grammar, null, 1)}\n`);
}
const bundled = Object.keys(metafile.inputs).flatMap(
  (path) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
);
writeFileSync(join(dist, 'LICENSES.txt'), [...new Set(bundled)].sort().map(licenseOf).join('\n\n'));

/** The name, the version and the license text of a package. */
function licenseOf(folder: string): string {
  const path = join(home, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each) && existsSync(join(path, each)));
  if (file === undefined) throw new Error(`${folder} has no license file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
}
