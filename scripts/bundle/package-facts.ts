// Facts about an installed package: its version, licence and origin, and the texts of its licences.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  /** An SPDX id or expression. */
  readonly license: string;
  readonly author?: string;
  /** The address of the source code. */
  readonly source?: string;
  /** The names of the packages that this one depends on. */
  readonly dependencies: readonly string[];
  /** Base64, as the lock file has it. */
  readonly sha512?: string;
  /** The text of each licence and notice, by its file. */
  readonly texts: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
  readonly repository?: string | { readonly url?: string };
  readonly homepage?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

const root = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;

/** @param folder relative to the checkout */
export function packageFacts(folder: string): PackageFacts {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license, author, repository, homepage } = manifest;
  if (license === undefined) throw new Error(`${folder}/package.json names no licence`);
  const by = typeof author === 'string' ? author : author?.name;
  const source = (typeof repository === 'string' ? repository : repository?.url) ?? homepage;
  const [, sha512] = /^sha512-(\S+)$/.exec(lock.packages[folder]?.integrity ?? '') ?? [];
  return {
    name,
    version,
    license,
    ...(by === undefined ? {} : { author: by }),
    ...(source === undefined ? {} : { source: addressOf(source) }),
    dependencies: Object.keys(manifest.dependencies ?? {}),
    ...(sha512 === undefined ? {} : { sha512 }),
    texts: licenceTexts(folder),
  };
}

function licenceTexts(folder: string): PackageFacts['texts'] {
  const files = readdirSync(join(root, folder)).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(root, folder, name), 'utf8').trim()]));
}

/** The address for a browser: `github:a/b`, `a/b` and `git+ssh://` are short forms of npm. */
function addressOf(source: string): string {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(source)?.[1];
  if (short !== undefined) return `https://github.com/${short}`;
  return source
    .replace(/^git\+/, '')
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, 'https://')
    .replace(/\.git$/, '');
}
