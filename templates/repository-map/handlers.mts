// The capabilities of the template: a survey of the files, a look at one area, the manifests, and the map as a whole.
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path/posix';
import { type CallContext, CapabilityError, defineCapability } from 'reconverge';
import {
  areaOf,
  cyclesIn,
  importsOf,
  isForeign,
  isGenerated,
  isTest,
  languageOf,
  type Risk,
  risksIn,
} from './sources.mts';

const MOST_BYTES = 2_000_000;

const MOST_FILES = 50_000;

/** Paths relative to the repository, without links, hidden files, and what others wrote or builds write. */
async function pathsIn(
  ctx: CallContext,
  folder: string,
): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const top = await ctx.files.resolve(folder, 'read');
  const found: { path: string; bytes: number }[] = [];
  const walk = async (at: string): Promise<void> => {
    for (const entry of await readdir(join(top, at), { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.name.startsWith('.') || isForeign(path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) found.push({ path, bytes: (await stat(join(top, path))).size });
      if (found.length > MOST_FILES)
        throw new CapabilityError(
          'REPOSITORY_TOO_LARGE',
          `${folder} has more than ${MOST_FILES} files of its own; name a folder in it`,
          { retry: 'never' },
        );
    }
  };
  await walk('');
  return found.sort((one, other) => one.path.localeCompare(other.path));
}

async function textOf(ctx: CallContext, folder: string, path: string): Promise<string> {
  const { head } = await ctx.files.head(join(folder, path), MOST_BYTES);
  return head.includes(0) ? '' : head.toString('utf8');
}

const MANIFEST =
  /(^|\/)(package\.json|pyproject\.toml|requirements[\w-]*\.txt|Cargo\.toml|go\.mod|Gemfile|pom\.xml|composer\.json)$/;

export const survey = defineCapability({
  name: 'repo.survey',
  description:
    'List the areas of a repository with their languages and sizes, its manifests, and the usual files that it lacks.',
  input: '{folder :string}',
  output:
    '{folder :string, files :int, bytes :int, languages :any, areas [{area :string, files :int, code :int, bytes :int}], manifests [:string], lacks [:string]}',
  effects: ['read'],
  async run({ folder }, ctx) {
    const files = await pathsIn(ctx, folder);
    const paths = files.map(({ path }) => path);
    const code = files.filter(({ path }) => languageOf(path) !== undefined && !isGenerated(path));
    const languages = Object.fromEntries(
      [...Map.groupBy(code, ({ path }) => languageOf(path) ?? '')]
        .map(([name, some]) => [name, some.length])
        .sort((a, b) => Number(b[1]) - Number(a[1])),
    );
    const areas = [...Map.groupBy(files, ({ path }) => areaOf(path))].map(([area, some]) => ({
      area,
      files: some.length,
      code: some.filter(({ path }) => languageOf(path) !== undefined && !isGenerated(path)).length,
      bytes: some.reduce((sum, { bytes }) => sum + bytes, 0),
    }));
    const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
    const manifests = paths.filter((path) => MANIFEST.test(path));
    const lacks = [
      ...(has(/^(licen[cs]e|copying|unlicense)[^/]*$/i) ? [] : ['a license']),
      ...(has(/^readme[^/]*$/i) ? [] : ['a README']),
      ...(code.length > 0 && !code.some(({ path }) => isTest(path)) ? ['tests'] : []),
      ...(manifests.length > 0 &&
      !has(
        /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|Gemfile\.lock|composer\.lock|requirements[\w-]*\.txt)$/,
      )
        ? ['a lock file']
        : []),
    ];
    return {
      folder,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      languages,
      areas: areas.filter((each) => each.code > 0).toSorted((a, b) => b.code - a.code || a.area.localeCompare(b.area)),
      manifests,
      lacks,
    };
  },
});

export const area = defineCapability({
  name: 'repo.area',
  description:
    'Read one area of a repository: its files, what it imports from other areas, and its risks with their lines.',
  input: '{folder :string, area :string}',
  output:
    '{area :string, files :int, tests :int, lines :int, language :string, imports [{from :string, to :string}], entry [:string], risks [{kind :string, where :string, says :string, weight :int}]}',
  effects: ['read'],
  async run({ folder, area: name }, ctx) {
    const all = (await pathsIn(ctx, folder)).map(({ path }) => path);
    const known = new Set(all);
    const own = all.filter((path) => areaOf(path) === name);
    const imports: { from: string; to: string }[] = [];
    const risks: Risk[] = [];
    let lines = 0;
    for (const path of own) {
      ctx.signal.throwIfAborted();
      if (isGenerated(path)) continue;
      const text = await textOf(ctx, folder, path);
      risks.push(...risksIn(path, text));
      if (languageOf(path) === undefined) continue;
      lines += text.split('\n').length;
      imports.push(...importsOf(path, text, known).map((to) => ({ from: path, to })));
    }
    const code = own.filter((path) => languageOf(path) !== undefined && !isGenerated(path));
    const [language] = [...Map.groupBy(code, (path) => languageOf(path) ?? '')].toSorted(
      (a, b) => b[1].length - a[1].length,
    );
    const entry = code
      .filter((path) => /^(main|index|app|server|cli|__main__|lib|mod)\.\w+$/.test(basename(path)) && !isTest(path))
      .slice(0, 5);
    return {
      area: name,
      files: code.length,
      tests: code.filter(isTest).length,
      lines,
      language: language?.[0] ?? '',
      imports,
      entry,
      risks: [...risks],
    };
  },
});

export const manifest = defineCapability({
  name: 'repo.manifest',
  description: 'Read a manifest: its package, its dependencies, and which of them no version holds.',
  input: '{folder :string, path :string}',
  output:
    '{path :string, name :string, dependencies [:string], risks [{kind :string, where :string, says :string, weight :int}]}',
  effects: ['read'],
  async run({ folder, path }, ctx) {
    const text = await textOf(ctx, folder, path);
    const lines = text.split('\n');
    const named = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
    const found = lines.flatMap((line, at) => {
      const dependency = dependencyIn(path, line, lines.slice(0, at));
      return dependency === undefined ? [] : [{ ...dependency, line: at + 1 }];
    });
    const isLoose = (version: string): boolean =>
      version === '' || /^(\*|latest|x|>=?\s*[\d.]+)$/.test(version) || /^(git|http|github:)/.test(version);
    const risks = found
      .filter(({ version }) => isLoose(version))
      .map(({ name, version, line }) => ({
        kind: 'loose dependency',
        where: `${path}:${line}`,
        says: `${name} ${version === '' ? 'without a version' : `as ${version}`}`,
        weight: 1,
      }));
    const scripts = lines.flatMap((line, at) =>
      /^\s*"(pre|post)?install"\s*:/.test(line)
        ? [
            {
              kind: 'install script',
              where: `${path}:${at + 1}`,
              says: 'runs code when the package is installed',
              weight: 2,
            },
          ]
        : [],
    );
    return {
      path,
      name: named(/"name"\s*:\s*"([^"]+)"/) || named(/^\s*name\s*=\s*"([^"]+)"/m) || named(/^module\s+(\S+)/m),
      dependencies: found.map(({ name }) => name),
      risks: [...risks, ...scripts],
    };
  },
});

/** The dependency that a line of a manifest names, under the heading above it. */
function dependencyIn(
  path: string,
  line: string,
  above: readonly string[],
): { readonly name: string; readonly version: string } | undefined {
  const heading =
    above.findLast((each) =>
      path.endsWith('.json')
        ? /^ {2}"\w+"\s*:\s*\{/.test(each) || /^ {2}\}/.test(each)
        : /^\[|^\w+\s*=\s*\[|^\]|^require/.test(each),
    ) ?? '';
  if (path.endsWith('.json')) {
    const [, name, version = ''] = /^\s+"([@\w./-]+)"\s*:\s*"([^"]*)"/.exec(line) ?? [];
    return name !== undefined && /"(dev|peer|optional)?[dD]ependencies"/.test(heading) ? { name, version } : undefined;
  }
  if (path.endsWith('.txt')) {
    const [, name, version = ''] = /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=~<>!]=?=?\s*([\w.*]+))?/.exec(line) ?? [];
    return name === undefined
      ? undefined
      : { name, version: />=?/.test(line) && !line.includes('<') ? `>=${version}` : version };
  }
  const toml = /dependencies/.test(heading)
    ? /^([\w.-]+)\s*=\s*(?:"([^"]*)"|\{.*?version\s*=\s*"([^"]*)")/.exec(line)
    : null;
  if (toml !== null) return { name: toml[1] ?? '', version: toml[2] ?? toml[3] ?? '' };
  const listed = /^dependencies\s*=\s*\[/.test(heading)
    ? /^\s*"([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*([^"]*)"/.exec(line)
    : null;
  if (listed !== null) return { name: listed[1] ?? '', version: (listed[2] ?? '').trim() };
  const go = /^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/\S+)\s+(v\S+)/.exec(line);
  return go === null ? undefined : { name: go[1] ?? '', version: go[2] ?? '' };
}

interface AreaFound {
  readonly area: string;
  readonly files: number;
  readonly tests: number;
  readonly lines: number;
  readonly language: string;
  readonly imports: readonly { readonly from: string; readonly to: string }[];
  readonly entry: readonly string[];
  readonly risks: readonly Risk[];
}

export const draw = defineCapability({
  name: 'repo.draw',
  description:
    'Draw the map: which area depends on which, cycles, areas that no test reaches, and all risks by weight.',
  input: '{areas :list, manifests :list, lacks :list}',
  output:
    '{areas [{area :string, language :string, files :int, lines :int, tests :int, depends_on [:string], used_by [:string], entry [:string]}], cycles [{files [:string]}], hubs [{path :string, imported_by :int}], untested [:string], risks [{kind :string, where :string, says :string, weight :int}], diagram :string}',
  effects: ['pure'],
  run(input) {
    const areas = input.areas as unknown as readonly AreaFound[];
    const manifests = input.manifests as unknown as readonly { readonly risks: readonly Risk[] }[];
    const edges = areas.flatMap(({ imports }) => imports);
    const between = new Map(areas.map(({ area: name }) => [name, new Set<string>()]));
    for (const { from, to } of edges) if (areaOf(from) !== areaOf(to)) between.get(areaOf(from))?.add(areaOf(to));
    const byFile = new Map<string, Set<string>>();
    for (const { from, to } of edges) byFile.set(from, (byFile.get(from) ?? new Set()).add(to));
    const cycles = cyclesIn(byFile).map((files) => ({ files: [...files] }));
    const importedBy = [
      ...Map.groupBy(
        edges.filter(({ from }) => !isTest(from)),
        ({ to }) => to,
      ),
    ].map(([path, some]) => ({ path, imported_by: some.length }));
    // Tests reach what they import, and what that imports.
    const reached = new Set<string>();
    let front = [...byFile.keys()].filter(isTest);
    while (front.length > 0) {
      for (const path of front) reached.add(path);
      front = [...new Set(front.flatMap((path) => [...(byFile.get(path) ?? [])]))].filter((path) => !reached.has(path));
    }
    const reachedAreas = new Set([...reached].map(areaOf));
    const hasTests = areas.some(({ tests }) => tests > 0);
    const untested = areas
      .filter(
        ({ area: name, files, tests, lines }) =>
          hasTests && tests === 0 && files > 0 && lines > 20 && !reachedAreas.has(name),
      )
      .map((each) => each.area);
    const risks: Risk[] = [
      ...areas.flatMap((each) => each.risks),
      ...manifests.flatMap((each) => each.risks),
      ...cycles.map(({ files }) => ({
        kind: 'cycle',
        where: files[0] ?? '',
        says: `${files.length} files import each other: ${files.slice(0, 4).join(', ')}${files.length > 4 ? ' and others' : ''}`,
        weight: files.length > 5 ? 2 : 1,
      })),
      ...untested.map((name) => ({ kind: 'untested area', where: name, says: 'no test reaches it', weight: 2 })),
      ...input.lacks.map((each) => ({
        kind: 'missing',
        where: '.',
        says: `the repository has no ${String(each).replace(/^an? /, '')}`,
        weight: each === 'a license' || each === 'tests' ? 2 : 1,
      })),
    ];
    const drawn = [...between].flatMap(([from, tos]) =>
      [...tos].filter((to) => between.has(to)).map((to) => `  ${idOf(from)}["${from}"] --> ${idOf(to)}["${to}"]`),
    );
    return {
      areas: areas.map(({ area: name, language, files, lines, tests, entry }) => ({
        area: name,
        language,
        files,
        lines,
        tests,
        depends_on: [...(between.get(name) ?? [])].sort(),
        used_by: [...between]
          .filter(([, tos]) => tos.has(name))
          .map(([from]) => from)
          .sort(),
        entry: [...entry],
      })),
      cycles,
      hubs: importedBy.toSorted((a, b) => b.imported_by - a.imported_by || a.path.localeCompare(b.path)).slice(0, 8),
      untested,
      risks: risks
        .toSorted((a, b) => b.weight - a.weight || a.kind.localeCompare(b.kind) || a.where.localeCompare(b.where))
        .slice(0, 200),
      diagram: ['flowchart LR', ...drawn.slice(0, 60)].join('\n'),
    };
  },
});

const idOf = (name: string): string => `a_${name.replace(/[^A-Za-z0-9]/g, '_')}`;
