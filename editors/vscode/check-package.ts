// Checks a packed extension: its files, its manifest, its program, its grammars and its licenses.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join } from 'node:path';

const [root = ''] = process.argv.slice(2);
const home = join(root, 'extension');
const read = (path: string): string => readFileSync(join(home, path), 'utf8');

const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
  statSync(join(home, path)).isFile(),
);
// vsce writes the names of some files in its own way.
const names = files.map((path) => path.toLowerCase().replace('license.txt', 'license').replaceAll('\\', '/')).sort();
const expected = ['package.json', 'readme.md', 'changelog.md', 'license'];
const built = ['expressions.json', 'extension.cjs', 'licenses.txt', 'lisp.json', 'references.json', 'template.json'];
assert.deepEqual(
  names,
  [...expected, ...built.map((name) => `dist/${name}`)].sort(),
  'the package holds these files and no others',
);

const manifest = JSON.parse(read('package.json'));
assert.ok(existsSync(join(home, manifest.main)), 'the program is there');
for (const { path, scopeName, injectTo } of manifest.contributes.grammars) {
  const grammar = JSON.parse(read(path));
  assert.equal(grammar.scopeName, scopeName);
  assert.equal(grammar.injectionSelector !== undefined, injectTo !== undefined, `${path} is injected by its selector`);
}
assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
const settings = Object.keys(manifest.contributes.configuration.properties);
for (const each of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations)
  assert.ok(settings.includes(each));
const described = readFileSync(join(root, 'extension.vsixmanifest'), 'utf8');
assert.match(described, new RegExp(`Version="${manifest.version}"`));
assert.match(read('dist/LICENSES.txt'), /vscode-languageclient [\d.]+ \(MIT\)/);

// The program loads, registers its commands, and starts nothing where no template is open.
const registered: string[] = [];
const nothing = () => ({ dispose: () => undefined });
const load = Reflect.get(Module, '_load');
Reflect.set(Module, '_load', (name: string, ...more: unknown[]) =>
  name === 'vscode' ? vscode() : load.call(Module, name, ...more),
);
const extension = createRequire(import.meta.url)(join(home, manifest.main));
extension.activate({ subscriptions: [] });
assert.deepEqual(
  registered.sort(),
  manifest.contributes.commands.map(({ command }: { command: string }) => command).sort(),
);
await extension.deactivate();
process.stdout.write(
  `${files.length} files, ${Math.round(files.reduce((sum, path) => sum + statSync(join(home, path)).size, 0) / 1024)} KiB unpacked\n`,
);

/** The few parts of VS Code that are used before a template is open; any other is an empty class. */
function vscode(): object {
  const known: Record<string, unknown> = {
    window: { createOutputChannel: nothing },
    commands: {
      registerCommand(name: string) {
        registered.push(name);
        return nothing();
      },
    },
    workspace: new Proxy(
      {
        textDocuments: [
          { languageId: 'yaml', uri: { scheme: 'file' }, fileName: '/ci.yaml', getText: () => 'on: push\n' },
        ],
        getWorkspaceFolder: () => undefined,
      },
      {
        get: (target, name) => Reflect.get(target, name) ?? nothing,
      },
    ),
  };
  return new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? class {} });
}
