// Writes what the bundles contain: a software bill of materials (CycloneDX) and the licences of the packages, beside the command line.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED, readPackages } from './bundle/bundled-packages.ts';
import { type PackageFacts, packageFacts } from './bundle/package-facts.ts';

const root = join(import.meta.dirname, '..');

/** The bundles by their folders. */
const bundles: Readonly<Record<string, string>> = {
  'dist-cli': 'command line',
  'dist-ui': 'page of the inspector',
  dist: 'library',
};

interface BundledPackage {
  readonly facts: PackageFacts;
  /** The folders of the bundles that contain the package. */
  readonly bundles: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<
  Record<'name' | 'version' | 'license' | 'description', string>
>;

/** Licences that let everybody ship a bundle, as long as their text comes with it. */
const ALLOWED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

function bundledPackages(): readonly BundledPackage[] {
  const found = new Map<string, string[]>();
  for (const bundle of Object.keys(bundles))
    for (const folder of readPackages(bundle)) found.set(folder, [...(found.get(folder) ?? []), bundle]);
  const packages = [...found].map(([folder, within]) => ({ facts: packageFacts(folder), bundles: within }));
  return packages.sort((a, b) => (purlOf(a.facts) < purlOf(b.facts) ? -1 : 1));
}

/** The address of a package in bills of materials. */
function purlOf({ name, version }: Pick<PackageFacts, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The same bundles have the same bill: it names no time. */
function billOfMaterials(packages: readonly BundledPackage[]): object {
  const { name, version, license, description } = manifest;
  const own = purlOf({ name, version });
  const components = packages.map(componentOf);
  const refs = new Map(packages.map(({ facts }) => [facts.name, purlOf(facts)]));
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        description,
        purl: own,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: packages.map(({ facts }) => purlOf(facts)) },
      ...packages.map(({ facts }) => ({
        ref: purlOf(facts),
        dependsOn: facts.dependencies.flatMap((each) => refs.get(each) ?? []).sort(),
      })),
    ],
  };
}

function componentOf({ facts, bundles: within }: BundledPackage): object {
  const [scope, name] = facts.name.startsWith('@') ? facts.name.split('/') : [undefined, facts.name];
  const { license, sha512, source } = facts;
  return {
    type: 'library',
    'bom-ref': purlOf(facts),
    ...(scope === undefined ? {} : { group: scope }),
    name,
    version: facts.version,
    scope: 'required',
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }],
    purl: purlOf(facts),
    ...(source === undefined ? {} : { externalReferences: [{ type: 'vcs', url: source }] }),
    properties: within.map((value) => ({ name: 'reconverge:bundle', value })),
  };
}

/** @throws Error when the terms of a package are unknown or do not allow a bundle */
function licenceText(packages: readonly BundledPackage[]): string {
  const seen = new Map<string, string>();
  const sections = packages.map(({ facts, bundles: within }) => {
    const { name, version, license, author, source, texts } = facts;
    if (!license.split(/\s+(?:AND|OR)\s+/).some((each) => ALLOWED.includes(each.replace(/[()]/g, ''))))
      throw new Error(`${name} is licensed under ${license}: may a bundle contain it?`);
    const said = Object.entries(texts).map(([file, text]) => {
      const first = seen.get(text);
      if (first !== undefined) return `### ${file}\n\nThe same text as that of ${first}.`;
      seen.set(text, name);
      return `### ${file}\n\n${fenced(text)}`;
    });
    const terms = said.length > 0 ? said : [`The package has no licence file. Its package.json says: ${license}.`];
    const from = within.map((each) => bundles[each]).join(' and the ');
    const facets = [`- Licence: ${license}`, `- In the ${from}`];
    if (author !== undefined) facets.push(`- Author: ${author}`);
    if (source !== undefined) facets.push(`- Source: ${source}`);
    return [`## ${name} ${version}`, facets.join('\n'), ...terms].join('\n\n');
  });
  const title = '# Licences of the packages in the bundles';
  const about =
    'The command line (`dist-cli/`), the page of the inspector (`dist-ui/`) and the library (`dist/`) contain these packages. `sbom.cdx.json` lists them for tools.';
  return `${[title, about, ...sections].join('\n\n')}\n`;
}

function fenced(text: string): string {
  return `\`\`\`\`text\n${text}\n\`\`\`\``;
}

const packages = bundledPackages();
writeFileSync(join(root, 'dist-cli/sbom.cdx.json'), `${JSON.stringify(billOfMaterials(packages), undefined, 1)}\n`);
writeFileSync(join(root, 'dist-cli/third-party-licenses.md'), licenceText(packages));
for (const folder of Object.keys(bundles)) rmSync(join(root, folder, BUNDLED));
