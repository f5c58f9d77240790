// Holds the docs against the code: every code is explained, and everything explained exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { apiFiles } from '../scripts/generate/api-reference.ts';
import { quickReferences, writeQuickReferences } from '../scripts/generate/references.ts';
import { findPage } from '../src/cli/docs/library.ts';
import { anchorsIn } from '../src/cli/docs/markdown.ts';
import { forbiddenInPage } from './openings.ts';
import { readSources, root } from './sources.ts';

/** Capitals in quotes that are not codes of ours: environment variables, and what other programs answer. */
const foreign =
  /^(NO_COLOR|FORCE_COLOR|OPENAI_[A-Z_]+|OTEL_[A-Z_]+|UND_ERR_[A-Z_]+|RECONVERGE_[A-Z_]+|ERR_[A-Z_]+|CSV_(MAX|QUOTE|RECORD)_[A-Z_]+|BAD_INDENT|BLOCK_AS_IMPLICIT_KEY|MULTILINE_IMPLICIT_KEY|RESOURCE_EXHAUSTION|TAG_RESOLVE_FAILED|INVALID_ARGUMENT|NOT_FOUND|PERMISSION_DENIED|RESOURCE_EXHAUSTED)$/;

const inCode = new Set(
  readSources('src')
    .filter(({ path }) => !path.includes('generated-'))
    .flatMap(({ text }) => [...text.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map((match) => match[1] ?? ''))
    .filter((code) => !foreign.test(code)),
);

const errors = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const inDocs = [...errors.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];

describe('docs/errors.md', () => {
  it('explains every code', () => {
    const rows = new Set(inDocs.map((row) => row[1]));
    expect([...inCode].filter((code) => !rows.has(code)).sort()).toEqual([]);
  });

  it('explains no code that is gone', () => {
    expect(inDocs.map((row) => row[1] ?? '').filter((code) => !inCode.has(code))).toEqual([]);
  });

  it('has each code once, in the order of the alphabet', () => {
    const codes = inDocs.map((row) => row[1] ?? '');
    expect(codes).toEqual([...new Set(codes)].sort());
  });
});

describe('README.md', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  it('names folders and files that exist', () => {
    const named = [...readme.matchAll(/\]\((docs\/[^)#]*|bench\/[^)#]*)\)/g)].map((match) => match[1] ?? '');
    expect(named.filter((path) => !isThere(path))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });
});

describe.each(['README.md', 'CONTRIBUTING.md'])('%s', (page) => {
  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: object };
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/`(?:npm run |npm |)((?:test|demo|check|generate|format)(?::[\w:]+)?)`/g)];
    expect(named.map(([, script = '']) => script).filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  });
});

/** Pages that a release builds: their texts by path; those of the API, which take the compiler long, by name alone. */
const built = new Map<string, string | undefined>([
  ...Object.entries(quickReferences(root)).map(([path, text]) => [`docs/reference/${path}`, text] as const),
  ...apiFiles.map((path) => [`docs/reference/${path}`, undefined] as const),
]);

function isThere(path: string): boolean {
  return built.has(path) || (!path.startsWith('docs/reference/') && existsSync(join(root, path)));
}

/** The anchors of a page; undefined for a page of the API. */
function anchorsOf(path: string): readonly string[] | undefined {
  const text = built.has(path) ? built.get(path) : readFileSync(join(root, path), 'utf8');
  return text === undefined ? undefined : anchorsIn(text);
}

describe('the pages', () => {
  const texts = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(reference|decisions)\//.test(file))
    .map((file) => readFileSync(join(root, 'docs', file), 'utf8'));

  it('name every template of the package', () => {
    const templates = readdirSync(join(root, 'templates')).filter((file) => /^[\w-]+\.yaml$/.test(file));
    const unnamed = templates.filter((file) => !texts.some((text) => text.includes(file.replace('.yaml', ''))));
    expect(unnamed).toEqual([]);
  });
});

describe('links of the docs', () => {
  const written = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith('.md') && !file.startsWith('docs/reference/'));
  const texts = new Map([
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...written].map(
      (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
    ),
    ...[...built].flatMap(([file, text]) => (text === undefined ? [] : [[file, text] as const])),
  ]);

  it.each([...texts.keys()])('in %s lead somewhere', (file) => {
    const text = (texts.get(file) ?? '').replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '`');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
    const astray = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? file : join(dirname(file), path).replace(/\/$/, '');
      return !isThere(target) || (anchor !== undefined && anchorsOf(target)?.includes(anchor) === false);
    });
    expect(astray.map(([link]) => link)).toEqual([]);
  });
});

describe('pages that sources, templates and pages name', () => {
  beforeAll(() => writeQuickReferences(root));

  const texts = [
    ...readSources('src').filter(({ path }) => !path.includes('validators')),
    ...readSources('scripts'),
    ...readSources('templates', /\.(?:yaml|ts|md)$/),
    ...readSources('docs', /\.md$/),
    { path: 'README.md', text: readFileSync(join(root, 'README.md'), 'utf8') },
  ];

  it('exist under the name that `reconverge docs` takes', () => {
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/reconverge docs ([a-z][\w/#-]*)/g)].map(([, name = '']) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(({ name }) => !isPartOfDocs(name))).toEqual([]);
  });

  it('exist as files', () => {
    const named = texts
      .filter(({ path }) => !path.startsWith('docs/decisions/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md\b/g)].map(([file]) => ({ path, file })),
      );
    expect(named.filter(({ file }) => !isThere(file))).toEqual([]);
  });
});

function isPartOfDocs(name: string): boolean {
  const [page = '', part] = name.split('#');
  const [path, anchor] = (findPage(page) ?? '').split('#');
  const wanted = part ?? anchor;
  return path !== '' && (wanted === undefined || anchorsOf(`docs/${path}.md`)?.includes(wanted) !== false);
}

describe('docs/navigation.json', () => {
  const groups = JSON.parse(readFileSync(join(root, 'docs/navigation.json'), 'utf8')) as readonly {
    readonly pages?: readonly string[];
  }[];
  const listed = groups.flatMap(({ pages = [] }) => pages);

  it('names pages that exist, each once', () => {
    expect(listed.filter((page) => !isThere(`docs/${page}.md`))).toEqual([]);
    expect(listed).toEqual([...new Set(listed)]);
  });

  it('names every guide', () => {
    const guides = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
    const others = ['README', 'errors', 'source'];
    const pages = guides.map((file) => file.replace('.md', '')).filter((page) => !others.includes(page));
    expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
  });
});

describe('guides', () => {
  const others = ['README.md', 'errors.md', 'source.md', 'upgrading.md'];
  const guides = readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && !others.includes(file))
    .map((file) => ({ file, text: readFileSync(join(root, 'docs', file), 'utf8') }));

  it('have at most 250 lines', () => {
    expect(guides.filter(({ text }) => text.split('\n').length > 251).map(({ file }) => file)).toEqual([]);
  });

  it('begin by telling who needs them, and end with the next pages', () => {
    const odd = guides.filter(({ text }) => !/^# .+\n\n\*For /.test(text) || !/\nNext: \[[^\n]+\n$/.test(text));
    expect(odd.map(({ file }) => file)).toEqual([]);
  });

  it('have no sentence that begins with a word that hides its subject', () => {
    const hidden = guides.flatMap(({ file, text }) => forbiddenInPage(text).map((sentence) => `${file}: ${sentence}`));
    expect(hidden).toEqual([]);
  });

  it('have tables of at most eight rows', () => {
    const long = guides.flatMap(({ file, text }) =>
      [...text.matchAll(/^\|[-|: ]+\|\n((?:\|.*\n)+)/gm)]
        .filter(([, rows = '']) => rows.trimEnd().split('\n').length > 8)
        .map(([, rows = '']) => `${file}: ${rows.slice(0, 60)}`),
    );
    expect(long).toEqual([]);
  });
});

/** Pages that the package and the site leave out: sources of other pages, and pages for contributors. */
const isUnpublished = (path: string): boolean => /^docs\/(errors|source)\.md$|^docs\/decisions\//.test(path);

describe('published pages', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith('.md') && !isUnpublished(file));

  it.each(pages)('%s links only to published pages', (file) => {
    const links = [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)];
    const targets = links.map(([, path = '']) => join(dirname(file), path));
    expect(targets.filter((path) => !path.startsWith('docs/') || isUnpublished(path))).toEqual([]);
  });
});

describe('docs/redirects.json', () => {
  const redirects = JSON.parse(readFileSync(join(root, 'docs/redirects.json'), 'utf8')) as Record<string, string>;

  it('leads every old name to a page that exists', () => {
    const astray = Object.entries(redirects).filter(([, target]) => {
      const [page = '', anchor] = target.split('#');
      const path = `docs/${page}.md`;
      return !isThere(path) || (anchor !== undefined && anchorsOf(path)?.includes(anchor) === false);
    });
    expect(astray).toEqual([]);
  });

  it('names no page that still exists', () => {
    expect(Object.keys(redirects).filter((page) => page !== 'errors' && isThere(`docs/${page}.md`))).toEqual([]);
  });
});

describe('docs/compose.yaml', () => {
  it('starts a pinned Jaeger whose ports are open to this machine alone', () => {
    const { services } = parse(readFileSync(join(root, 'docs/compose.yaml'), 'utf8')) as {
      readonly services: Readonly<Record<string, { readonly image: string; readonly ports: readonly string[] }>>;
    };
    expect(Object.keys(services)).toEqual(['jaeger']);
    expect(services.jaeger?.image).toMatch(/^jaegertracing\/jaeger:\d+\.\d+\.\d+$/);
    expect(services.jaeger?.ports).toEqual(['16686', '4317', '4318'].map((port) => `127.0.0.1:${port}:${port}`));
  });
});
