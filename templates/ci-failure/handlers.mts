// The capabilities of the template: reading the log and the history, and weighing changes against failures.
import { dirname, join, normalize } from 'node:path/posix';
import { type CallContext, defineCapability } from 'reconverge';
import { blame, type Commit, changedLines, readHistory } from './history.mts';
import { type Failure, readFailures } from './log.mts';

const MOST_BYTES = 32_000_000;

const textOf = async (ctx: CallContext, path: string): Promise<string> =>
  (await ctx.files.read(path, MOST_BYTES)).toString('utf8');

export const readLog = defineCapability({
  name: 'ci.read_log',
  description:
    'Find the failed tests and errors in the log of a CI job: vitest, jest, node, pytest, cargo, go test, compilers.',
  input: '{log :string}',
  output:
    '{failures [{id :string, tool :string, test :string, message :string, kind :string, lines [:int]}], by_kind :any, log_lines :int}',
  effects: ['read'],
  async run({ log }, ctx) {
    const text = await textOf(ctx, log);
    const failures = readFailures(text).map(({ id, tool, test, message, kind, lines }) => ({
      id,
      tool,
      test,
      message,
      kind,
      lines: [...lines],
    }));
    const by_kind = Object.fromEntries(
      [...Map.groupBy(failures, ({ kind }) => kind)].map(([kind, each]) => [kind, each.length]),
    );
    return { failures, by_kind, log_lines: text.split('\n').length };
  },
});

export const readChanges = defineCapability({
  name: 'ci.read_history',
  description: 'List the commits in the text of "git log -p" with the files that each changed.',
  input: '{history :string}',
  output: '{commits [{hash :string, author :string, date :string, subject :string, files [:string], changed :int}]}',
  effects: ['read'],
  async run({ history }, ctx) {
    const commits = readHistory(await textOf(ctx, history));
    return {
      commits: commits.map(({ hash, author, date, subject, files }) => ({
        hash: hash.slice(0, 10),
        author,
        date,
        subject,
        files: files.map(({ path }) => path),
        changed: files.reduce((sum, file) => sum + changedLines(file).length, 0),
      })),
    };
  },
});

const WORD = /[A-Za-z_][A-Za-z0-9_]{3,}|\d+\.\d+|\d{2,}/g;
const COMMON = new Set(
  'this that with from have when then than expect expected received equal toBe toEqual assert assertion error test tests return const function import export self None True False true false null undefined type async await describe class readonly string number left right panicked thread main value values reading Cannot read properties object property TypeError AssertionError KeyError ValueError not'.split(
    ' ',
  ),
);

function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => (text.match(WORD) ?? []).filter((word) => !COMMON.has(word))));
}

const isSource = (path: string): boolean =>
  /\.(m?[jt]sx?|c[jt]s|py|rs|go|java|kt|rb|cs|c|cc|cpp|h|php|swift|sql|toml|lock)$/.test(path);
const isTest = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|spec)\/|[._](test|spec)\.\w+$|(^|\/)test_\w+\.py$|_test\.(go|py)$/.test(path);

/** The path in the history that a frame of the log means, whatever folder the server built in. */
function knownPath(file: string, paths: readonly string[]): string | undefined {
  const clean = file.replaceAll('\\', '/').replace(/^\.\//, '');
  return paths
    .filter((path) => clean === path || clean.endsWith(`/${path}`) || path.endsWith(`/${clean}`))
    .sort((a, b) => b.length - a.length)[0];
}

interface Suspicion {
  readonly commit: Commit;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** The files that the tests of a failure reach by imports, with the number of imports between. */
async function reachedFrom(ctx: CallContext, checkout: string, failure: Failure): Promise<ReadonlyMap<string, number>> {
  const reached = new Map<string, number>();
  if (checkout === '') return reached;
  const { files } = await ctx.files.list(checkout, { recursive: true });
  const paths = files.map(({ path }) => path.slice(checkout.replace(/\/$/, '').length + 1));
  const named = [...failure.frames.map(({ file }) => file), ...(failure.test.match(/[\w./-]+\.\w+/g) ?? [])];
  let front = [...new Set(named.flatMap((file) => knownPath(file, paths) ?? []))];
  for (let distance = 0; front.length > 0 && distance < 6; distance += 1) {
    for (const path of front) reached.set(path, distance);
    const next: string[] = [];
    for (const path of front) next.push(...importedBy(path, await textOf(ctx, join(checkout, path)), paths));
    front = [...new Set(next)].filter((path) => !reached.has(path));
  }
  return reached;
}

/** The files of the checkout that a source imports: JavaScript, TypeScript, Python, Rust, Go. */
function importedBy(path: string, text: string, paths: readonly string[]): readonly string[] {
  const scripts = [...text.matchAll(/(?:from|import|require)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(([, name = '']) =>
    normalize(join(dirname(path), name)),
  );
  const python = [...text.matchAll(/^\s*(?:from\s+(\.*[\w.]+)\s+import|import\s+([\w.]+))/gm)].map(([, from, plain]) =>
    (from ?? plain ?? '').replace(/^\.+/, '').replaceAll('.', '/'),
  );
  const rust = [...text.matchAll(/^\s*(?:pub\s+)?(?:use\s+(?:crate|super|\w+)::(\w+)|mod\s+(\w+)\s*;)/gm)].map(
    ([, used, mod]) => used ?? mod ?? '',
  );
  if (path.endsWith('.go')) {
    // A package of Go is a folder: its files see each other without an import.
    const imported = [...text.matchAll(/"([\w.-]+(?:\/[\w.-]+)+)"/g)].map(([, name = '']) => name);
    return paths.filter((each) => {
      const folder = dirname(each);
      const isImported = folder !== '.' && imported.some((name) => name.endsWith(`/${folder}`));
      return each !== path && each.endsWith('.go') && (folder === dirname(path) || isImported);
    });
  }
  const stems = [...scripts, ...python, ...rust].filter((stem) => stem !== '');
  return paths.filter((each) => {
    const stem = each.replace(/(\/index|\/mod|\/__init__)?\.\w+$/, '');
    return (
      each !== path &&
      stems.some((name) => each === name || stem === name.replace(/\.\w+$/, '') || stem.endsWith(`/${name}`))
    );
  });
}

function weigh(
  failure: Failure,
  commits: readonly Commit[],
  reached: ReadonlyMap<string, number>,
): readonly Suspicion[] {
  const paths = [...new Set(commits.flatMap(({ files }) => files.map(({ path }) => path)))];
  const words = wordsIn([failure.message, failure.test, ...failure.code]);
  const wordsOf = new Map(
    commits.map((commit) => [commit, wordsIn(commit.files.filter(({ path }) => isSource(path)).flatMap(changedLines))]),
  );
  const rarity = (word: string): number =>
    Math.log(commits.length / Math.max(1, commits.filter((each) => wordsOf.get(each)?.has(word)).length));
  const blamed = failure.frames.flatMap(({ file, line }) => {
    const path = knownPath(file, paths);
    return path === undefined ? [] : blame(commits, path, line).map((each) => ({ ...each, path, line }));
  });
  return commits.flatMap((commit) => {
    const changes = commit.files.filter((file) => isSource(file.path) && changedLines(file).length > 0);
    if (changes.length === 0) return [];
    const parts: { readonly weight: number; readonly reason: string }[] = [];
    for (const { path, line, distance } of blamed.filter((each) => each.commit === commit).slice(0, 1))
      parts.push({
        weight: (isTest(path) ? 3 : 8) / (1 + distance),
        reason: `changed ${distance === 0 ? '' : 'a line near '}${path}:${line}, where it failed`,
      });
    const near = changes.flatMap((file) => {
      const distance = reached.get(file.path);
      const isComment = changedLines(file).every((line) => /^[+-]\s*(\/\/|\/\*|\*|#|--|$)/.test(line));
      return distance === undefined || isComment || isTest(file.path)
        ? []
        : [{ path: file.path, distance, changed: changedLines(file) }];
    });
    const [nearest] = near.toSorted((a, b) => a.distance - b.distance);
    if (nearest !== undefined) {
      const rewrites = nearest.changed.filter(
        (line) => line.startsWith('-') && !/^-\s*(\/\/|\/\*|\*|#)/.test(line),
      ).length;
      parts.push({ weight: 1 + 2 / (1 + nearest.distance), reason: `changed ${nearest.path}, which the test reaches` });
      if (rewrites > 0)
        parts.push({ weight: 2, reason: `replaced ${rewrites} line${rewrites === 1 ? '' : 's'} of it` });
    }
    const shared = [...words].filter((word) => wordsOf.get(commit)?.has(word) && rarity(word) > 0.5);
    const weight = Math.min(
      4,
      shared.reduce((sum, word) => sum + rarity(word) / 2, 0),
    );
    if (weight > 0)
      parts.push({
        weight,
        reason: `shares ${shared
          .slice(0, 4)
          .map((word) => `"${word}"`)
          .join(', ')} with the failure`,
      });
    // Shared words alone are a weak sign, and a change of tests alone seldom breaks them.
    const doubt =
      (nearest === undefined && !blamed.some((each) => each.commit === commit) ? 0.4 : 1) *
      (changes.every(({ path }) => isTest(path)) ? 0.5 : 1);
    const score = parts.reduce((sum, part) => sum + part.weight, 0) * doubt;
    return score === 0
      ? []
      : [{ commit, score: Math.round(score * 100) / 100, reasons: parts.map(({ reason }) => reason) }];
  });
}

async function failureCalled(ctx: CallContext, log: string, id: string): Promise<Failure> {
  const found = readFailures(await textOf(ctx, log)).find((each) => each.id === id);
  if (found === undefined) throw new Error(`the log has no failure ${id}`);
  return found;
}

export const suspects = defineCapability({
  name: 'ci.suspects',
  description:
    'Weigh every commit against one failure: lines near the stack, files that the test reaches, words they share.',
  input: '{log :string, history :string, checkout :string, failure :string}',
  output:
    '{failure :string, test :string, suspects [{commit :string, subject :string, score :float, reasons [:string]}]}',
  effects: ['read'],
  async run({ log, history, checkout, failure }, ctx) {
    const found = await failureCalled(ctx, log, failure);
    const commits = readHistory(await textOf(ctx, history));
    const weighed = weigh(found, commits, await reachedFrom(ctx, checkout, found));
    const best = weighed.toSorted((a, b) => b.score - a.score).slice(0, 5);
    return {
      failure,
      test: found.test,
      suspects: best.map(({ commit, score, reasons }) => ({
        commit: commit.hash.slice(0, 10),
        subject: commit.subject,
        score,
        reasons: [...reasons],
      })),
    };
  },
});

export const evidence = defineCapability({
  name: 'ci.evidence',
  description: 'Cite the lines of the log and of one commit that connect a failure with the commit.',
  input:
    '{log :string, history :string, checkout :string, failure :string, commit :string, score :float, reasons :list}',
  output:
    '{failure :string, commit :string, author :string, date :string, subject :string, file :string, score :float, reasons [:string], diff [:string], log [{line :int, text :string}]}',
  effects: ['read'],
  async run({ log, history, checkout, failure, commit: hash, score, reasons }, ctx) {
    const found = await failureCalled(ctx, log, failure);
    const commit = readHistory(await textOf(ctx, history)).find((each) => each.hash.startsWith(hash));
    if (commit === undefined) throw new Error(`the history has no commit ${hash}`);
    const reached = await reachedFrom(ctx, checkout, found);
    const words = wordsIn([found.message, found.test, ...found.code]);
    const value = (path: string, lines: readonly string[]): number =>
      (reached.has(path) ? 5 : 0) +
      (isTest(path) ? -3 : 0) +
      (found.frames.some(({ file }) => file.endsWith(path)) ? 5 : 0) +
      [...wordsIn(lines)].filter((word) => words.has(word)).length;
    const [best] = commit.files
      .filter(({ path }) => isSource(path))
      .flatMap((file) => (changedLines(file).length === 0 ? [] : [{ path: file.path, lines: changedLines(file) }]))
      .toSorted((a, b) => value(b.path, b.lines) - value(a.path, a.lines));
    const lines = (await textOf(ctx, log)).split(/\r?\n/);
    const told = lines
      .slice(found.lines[0] - 1, found.lines[0] + 2)
      .map((text, at) => ({ line: found.lines[0] + at, text: text.slice(0, 200) }));
    return {
      failure,
      commit: commit.hash.slice(0, 10),
      author: commit.author,
      date: commit.date,
      subject: commit.subject,
      file: best?.path ?? '',
      score,
      reasons: reasons.map(String),
      diff: (best?.lines ?? []).slice(0, 12),
      log: told,
    };
  },
});
