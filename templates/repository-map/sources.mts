// Reads a repository: its files, its manifests, and what imports what. Nothing of it is run.
import { dirname, extname, join, normalize } from 'node:path/posix';

export const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'TypeScript',
  '.mts': 'TypeScript',
  '.cts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.js': 'JavaScript',
  '.mjs': 'JavaScript',
  '.cjs': 'JavaScript',
  '.jsx': 'JavaScript',
  '.py': 'Python',
  '.rs': 'Rust',
  '.go': 'Go',
  '.java': 'Java',
  '.kt': 'Kotlin',
  '.rb': 'Ruby',
  '.php': 'PHP',
  '.c': 'C',
  '.h': 'C',
  '.cc': 'C++',
  '.cpp': 'C++',
  '.hpp': 'C++',
  '.cs': 'C#',
  '.swift': 'Swift',
  '.sh': 'Shell',
  '.sql': 'SQL',
  '.css': 'CSS',
  '.vue': 'Vue',
  '.svelte': 'Svelte',
  '.lua': 'Lua',
  '.zig': 'Zig',
};

/** Folders of others' code and of what builds write. */
const FOREIGN =
  /(^|\/)(node_modules|vendor|third_party|dist([-_][^/]*)?|build|out|target|coverage|__pycache__|site-packages|\.venv|venv)(\/|$)/;
const GENERATED =
  /(^|\/)(generated[-_.]|.*\.(generated|min|bundle|pb)\.)|(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum)$/;
const TEST =
  /(^|\/)(tests?|__tests__|specs?|e2e)(\/|$)|[._-](test|spec)\.\w+$|(^|\/)test_[^/]+\.py$|_test\.(go|py|rb)$/;

export const isForeign = (path: string): boolean => FOREIGN.test(path);
export const isGenerated = (path: string): boolean => GENERATED.test(path);
export const isTest = (path: string): boolean => TEST.test(path);
export const languageOf = (path: string): string | undefined => LANGUAGES[extname(path).toLowerCase()];

/** The area of a file: its folder, two levels deep where the first is a mere container. */
export function areaOf(path: string): string {
  const parts = path.split('/').slice(0, -1);
  if (parts.length === 0) return '.';
  const isContainer = /^(src|lib|packages|apps|crates|cmd|internal|pkg|app|modules|services|test|tests)$/.test(
    parts[0] ?? '',
  );
  return parts.slice(0, isContainer ? 2 : 1).join('/');
}

/** The code without comments, so that an import in an example counts for nothing. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*(\/\/|#(?!include|!\[)).*$/gm, '');

/** The files of the repository that a file imports, as it names them. */
export function importsOf(path: string, text: string, paths: ReadonlySet<string>): readonly string[] {
  const code = withoutComments(text);
  const language = languageOf(path);
  const names: string[] = [];
  if (language === 'Python') {
    for (const [, dots = '', from = '', members = '', plain = ''] of code.matchAll(
      /^\s*(?:from\s+(\.*)([\w.]*)\s+import\s+\(?([\w, ]*)|import\s+([\w.]+))/gm,
    )) {
      const base =
        dots === ''
          ? ''
          : dots
              .split('')
              .slice(1)
              .reduce((folder) => dirname(folder), dirname(path));
      const name = (from || plain).replaceAll('.', '/');
      const found = dots === '' ? [name, join('src', name)] : [join(base, name)];
      names.push(
        ...found,
        ...members
          .split(/[, ]+/)
          .filter((each) => each !== '')
          .flatMap((each) => found.map((whole) => join(whole, each))),
      );
    }
  } else if (language === 'Go') {
    for (const [, name = ''] of code.matchAll(/"([\w./-]+)"/g)) names.push(...suffixesOf(name));
  } else if (language === 'Rust') {
    for (const [, used, mod] of code.matchAll(/\buse\s+(?:crate|super|self)::(\w+)|^\s*(?:pub\s+)?mod\s+(\w+)\s*;/gm)) {
      const name = used ?? mod ?? '';
      names.push(join(dirname(path), name), join(dirname(path), path.replace(/^.*\/|\.rs$/g, ''), name));
      const src = /^(.*?\bsrc)\//.exec(path)?.[1];
      if (src !== undefined) names.push(join(src, name));
    }
  } else if (language === 'C' || language === 'C++') {
    for (const [, name = ''] of code.matchAll(/^\s*#include\s+"([^"]+)"/gm))
      names.push(join(dirname(path), name), name, join('include', name), join('src', name));
  } else {
    for (const [, name = ''] of code.matchAll(
      /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]*|\.{1,2})['"]/g,
    ))
      names.push(normalize(join(dirname(path), name)));
  }
  return [...new Set(names.flatMap((name) => resolved(name.replace(/\/$/, ''), paths) ?? []))].filter(
    (each) => each !== path,
  );
}

const suffixesOf = (name: string): readonly string[] =>
  name.split('/').map((_, at, parts) => parts.slice(at).join('/'));

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.vue',
  '.svelte',
  '.py',
  '.rs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
  '/__init__.py',
  '/mod.rs',
];

function resolved(name: string, paths: ReadonlySet<string>): string | undefined {
  const direct = ENDINGS.map((ending) => name + ending).find((each) => paths.has(each));
  if (direct !== undefined) return direct;
  // TypeScript names the file that will be built: ./a.js means a.ts.
  const typed = name.replace(/\.(m|c)?js(x?)$/, '.$1ts$2');
  return typed !== name && paths.has(typed) ? typed : undefined;
}

/** Cycles of areas or files: groups in which each reaches each other. */
export function cyclesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (start: string): void => {
    // The walk keeps its own stack, because chains of imports may be longer than calls may nest.
    const work: { readonly node: string; readonly rest: string[] }[] = [];
    const enter = (node: string): void => {
      index.set(node, index.size);
      low.set(node, index.get(node) ?? 0);
      stack.push(node);
      work.push({ node, rest: [...(edges.get(node) ?? [])] });
    };
    enter(start);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const next = top.rest.pop();
      if (next !== undefined) {
        if (!index.has(next)) enter(next);
        else if (stack.includes(next)) low.set(top.node, Math.min(low.get(top.node) ?? 0, index.get(next) ?? 0));
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(top.node) ?? 0));
      if (low.get(top.node) !== index.get(top.node)) continue;
      const group = stack.splice(stack.indexOf(top.node));
      if (group.length > 1) found.push(group.sort());
    }
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found;
}

export type Risk = {
  readonly kind: string;
  readonly where: string;
  readonly says: string;
  /** 3 is the highest. */
  readonly weight: number;
};

const SECRETS: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----/],
  ['an AWS access key', /\bAKIA[0-9A-Z]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,}\b/],
  ['an API key', /\bsk-(?:live-|proj-)?[A-Za-z0-9]{24,}\b/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{20,}\b/],
  [
    'a password',
    /\b(?:password|passwd|secret|api_?key|token)\b["']?\s*[:=]\s*["'](?!.*(?:example|changeme|placeholder|dummy|test|\$\{|<|xxx|process\.|env))[^"'\s]{10,}["']/i,
  ],
];

const CALLS: readonly (readonly [string, RegExp])[] = [
  ['evaluates text as code', /(?<![\w.])eval\s*\((?!\s*\))|\bnew Function\s*\(/],
  [
    'runs a shell with text put together',
    /\b(?:execSync|exec|os\.system|popen|subprocess\.\w+)\s*\(\s*(?:`[^`]*\$\{|f["']|["'][^"']*["']\s*[+%])|shell\s*=\s*True/,
  ],
  [
    'switches off the check of certificates',
    /rejectUnauthorized\s*:\s*false|verify\s*=\s*False|InsecureSkipVerify:\s*true|NODE_TLS_REJECT_UNAUTHORIZED/,
  ],
  ['reads untrusted objects', /\bpickle\.loads?\(|\byaml\.load\((?![^)]*Safe)|\bunserialize\(/],
  [
    'puts a query together from text',
    /["'`](?:SELECT\b.*\bFROM|INSERT INTO|UPDATE\b.*\bSET|DELETE FROM)\b.*?(?:["']\s*\+\s*\w|\$\{|["']\s*%\s*[\w(])/,
  ],
];

export function risksIn(path: string, text: string): readonly Risk[] {
  const lines = text.split('\n');
  const risks: Risk[] = [];
  const isCode = languageOf(path) !== undefined;
  lines.forEach((line, at) => {
    if (line.length > 2_000) return;
    const where = `${path}:${at + 1}`;
    for (const [what, pattern] of SECRETS)
      if (pattern.test(line))
        risks.push({ kind: 'secret', where, says: `looks like ${what}`, weight: isTest(path) ? 1 : 3 });
    const isComment = /^\s*(\/\/|\*|#|--)/.test(line);
    if (isCode && !isComment && !isTest(path))
      for (const [says, pattern] of CALLS)
        if (pattern.test(line)) risks.push({ kind: 'dangerous call', where, says, weight: 2 });
  });
  if (isCode && lines.length > 800 && !isGenerated(path))
    risks.push({
      kind: 'large file',
      where: path,
      says: `${lines.length} lines`,
      weight: lines.length > 2_000 ? 2 : 1,
    });
  const open = lines.flatMap((line, at) => (/\b(TO.?DO|FIX.?ME|HACK|XXX)\b/.test(line) ? [at + 1] : []));
  if (isCode && open.length >= 5)
    risks.push({
      kind: 'unfinished',
      where: `${path}:${open[0]}`,
      says: `${open.length} notes of unfinished work`,
      weight: 1,
    });
  return risks;
}
