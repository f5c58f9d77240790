// The documentation site: the pages of docs/ and the built references, with search, navigation and redirects.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';

interface Group {
  readonly title: string;
  readonly pages?: readonly string[];
  readonly folder?: string;
}

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const groups = JSON.parse(readFileSync(join(docs, 'navigation.json'), 'utf8')) as readonly Group[];
const redirects = JSON.parse(readFileSync(join(docs, 'redirects.json'), 'utf8')) as Readonly<Record<string, string>>;
/** The path under which the site is served: `/` or, on pages of a repository, `/reconverge/`. */
const base = process.env.SITE_BASE ?? '/';

/** Two branches that meet. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#3a5ccc" stroke-width="2"><path d="M2 8h2c3 0 3-5 6-5M4 8c3 0 3 5 6 5M10 3c2 0 2 5 4 5M10 13c2 0 2-5 4-5"/></svg>';

export default defineConfig({
  title: 'Reconverge',
  description:
    'A recursive phased-planning engine: plans that grow while they run, within a bound you can read before you spend.',
  lang: 'en-US',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  base,
  // A link to ../docs, so that what its pages import is found in this folder's packages.
  srcDir: 'docs',
  vite: { resolve: { preserveSymlinks: true }, build: { chunkSizeWarningLimit: 2000 } },
  // The table of codes is the source of reference/errors; records of decisions and the walk of the source are for contributors.
  srcExclude: ['errors.md', 'decisions/**', 'source.md', 'vocabulary.md'],
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, '$1index.md'),
  appearance: true,
  lastUpdated: false,
  // The pages of backends on the reader's machine, such as Jaeger's.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    html: false,
    linkify: false,
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    languageAlias: { console: 'shellsession' },
    codeTransformers: [
      {
        line(node, number) {
          if (!['console', 'shellsession'].includes(this.options.lang)) return;
          const isCommand = this.source.split('\n')[number - 1]?.startsWith('$ ') === true;
          this.addClassToHast(node, isCommand ? 'command' : 'output');
        },
      },
    ],
    // Pages are written for GitHub and the terminal: braces and angle brackets in them are text.
    config: ({ renderer }) => {
      for (const kind of ['text', 'code_inline'] as const) {
        const rule = renderer.rules[kind];
        renderer.rules[kind] = (...given) => (rule?.(...given) ?? '').replaceAll('{{', '&#123;&#123;');
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: groups.map(sidebarOf),
    nav: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Reference', link: '/reference/' },
    ],
    outline: 2,
    docFooter: { prev: 'Before', next: 'Next' },
  },
  buildEnd({ outDir }) {
    for (const [from, to] of Object.entries(redirects)) {
      const file = join(outDir, `${from}.html`);
      if (existsSync(file)) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, redirectPage(urlOf(to)));
    }
  },
});

function sidebarOf({ title, pages = [], folder }: Group): DefaultTheme.SidebarItem {
  const all = [...pages, ...(folder === undefined ? [] : pagesIn(folder))].filter((page) =>
    existsSync(join(docs, `${page}.md`)),
  );
  return {
    text: title,
    collapsed: ['Examples', 'Reference', 'In detail'].includes(title),
    items: all.map((page) => ({ text: shortTitle(page), link: `/${page.replace(/README$/, '')}`, ...inner(page) })),
  };
}

/** The pages of a reference below its overview. */
function inner(page: string): Pick<DefaultTheme.SidebarItem, 'collapsed' | 'items'> {
  if (!page.endsWith('/README') || page === 'reference/README') return {};
  const items = pagesIn(dirname(page)).map((each) => ({ text: shortTitle(each), link: `/${each}` }));
  return { collapsed: true, items };
}

function pagesIn(folder: string): readonly string[] {
  if (!existsSync(join(docs, folder))) return [];
  const files = readdirSync(join(docs, folder)).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return files.sort().map((file) => `${folder}/${file.slice(0, -'.md'.length)}`);
}

/** The title of a page up to its colon: "Gates: where people decide" is "Gates". */
function shortTitle(page: string): string {
  const [, title = page] = /^# (.*)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? [];
  return (title.split(': ')[0] ?? title).replaceAll('`', '');
}

/** The anchors that links in the pages name: those of GitHub. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function urlOf(target: string): string {
  const [page = '', anchor] = target.split('#');
  return `${base}${page.endsWith('README') ? page.slice(0, -'README'.length) : `${page}.html`}${anchor === undefined ? '' : `#${anchor}`}`;
}

function redirectPage(url: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<link rel="canonical" href="${url}">
<meta http-equiv="refresh" content="0; url=${url}">
</head>
<body><p>This page has moved to <a href="${url}">${url}</a>.</p></body>
</html>
`;
}
