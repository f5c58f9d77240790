// Checks the files of the packed package: the imports of the library, its bill of materials, its licences and its links.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { parseSync } from 'vite';

const root = join(import.meta.dirname, '..');
const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/check-packed.ts FOLDER');
const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
const files = (pattern: string): readonly string[] => globSync(pattern, { cwd: folder });

/** Packages that the bundle uses where a user has installed them. */
const OPTIONAL = ['gpt-tokenizer'];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

interface Bill {
  readonly components: readonly { readonly group?: string; readonly name: string; readonly version: string }[];
}

const manifest = JSON.parse(text('package.json')) as Manifest;
const problems = [...importProblems(), ...billProblems(), ...linkProblems('README.md')];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

/** The library imports what users install, each dependency is used, and the command line imports Node alone. */
function importProblems(): readonly string[] {
  const { dependencies, peerDependencies } = manifest;
  const imported = new Set(files('dist/**/*.js').flatMap(packagesIn));
  const typed = new Set(files('dist/**/*.d.ts').flatMap(packagesIn));
  const unknown = [...imported, ...typed].filter((name) => !(name in dependencies || name in peerDependencies));
  const unused = Object.keys(dependencies).filter((name) => !imported.has(name) && !typed.has(name));
  const bundled = new Set(files('dist-cli/**/*.js').flatMap(packagesIn));
  for (const name of OPTIONAL) bundled.delete(name);
  return [
    ...unknown.map((name) => `dist/ names ${name}, which is no dependency`),
    ...unused.map((name) => `${name} is a dependency that dist/ does not import`),
    ...[...bundled].map((name) => `dist-cli/ imports ${name}, which is not in the bundle`),
  ];
}

/** The names of the packages that a module imports, statically, lazily or by a `require` of its own. */
function packagesIn(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each);
      return;
    }
    const { type, source, callee, arguments: given } = node as SyntaxNode;
    if (type !== undefined && /^(?:Import|Export).*(?:Declaration|Expression)$|^TSImportType$/.test(type)) {
      const id = fixedText(source);
      if (id !== undefined) found.push(id);
    }
    if (type === 'CallExpression' && /^(?:createRequire|require)$/.test(callee?.callee?.name ?? callee?.name ?? '')) {
      const id = fixedText(given?.[0]);
      if (id !== undefined) found.push(id);
    }
    for (const each of Object.values(node)) visit(each);
  };
  visit(parseSync(file, text(file)).program);
  return found
    .filter((id) => !isBuiltin(id) && !id.startsWith('.') && !id.startsWith('reconverge'))
    .map((id) =>
      id
        .split('/')
        .slice(0, id.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

interface SyntaxNode {
  readonly type?: string;
  readonly name?: string;
  readonly source?: unknown;
  readonly callee?: SyntaxNode & { readonly callee?: SyntaxNode };
  readonly arguments?: readonly unknown[];
}

/** The value of a literal, which a minifier may have written as a template. */
function fixedText(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const { value, quasis } = node as {
    readonly value?: unknown;
    readonly quasis?: readonly { value: { cooked: string } }[];
  };
  return typeof value === 'string' ? value : quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}

/** The bill of materials follows the schema of CycloneDX, and each of its packages has its licence. */
function billProblems(): readonly string[] {
  const bill = JSON.parse(text('dist-cli/sbom.cdx.json')) as Bill;
  const schemas = dirname(new URL(import.meta.resolve('@cyclonedx/cyclonedx-library')).pathname);
  const schema = (name: string): object =>
    JSON.parse(readFileSync(join(schemas, '../res/schema', name), 'utf8')) as object;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(schema('spdx.SNAPSHOT.schema.json'), 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json');
  ajv.addSchema(schema('jsf-0.82.SNAPSHOT.schema.json'), 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json');
  const isValid = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));
  const errors = isValid(bill) ? [] : (isValid.errors ?? []);
  const licences = text('dist-cli/third-party-licenses.md');
  const names = bill.components.map(
    ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`,
  );
  return [
    ...errors.map(({ instancePath, message }) => `sbom.cdx.json${instancePath} ${message}`),
    ...names.filter((name) => !licences.includes(`\n## ${name}\n`)).map((name) => `no licence of ${name}`),
    ...['preact 1', '@dagrejs/dagre 3', 'openai 7', 'yaml 2']
      .filter((start) => !names.some((name) => name.startsWith(start)))
      .map((start) => `the bill of materials does not name ${start}`),
  ];
}

/** The page on npm resolves relative links in the repository, so they lead to committed files. */
function linkProblems(page: string): readonly string[] {
  const links = [...text(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link);
  const committed = new Set(execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n'));
  const isFolder = (link: string): boolean =>
    [...committed].some((file) => file.startsWith(`${link.replace(/\/$/, '')}/`));
  return links
    .filter((link) => !committed.has(link) && !isFolder(link))
    .map((link) => `${page} links to ${link}, which is not in the repository`);
}
