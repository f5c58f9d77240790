// Reads failures from the log of a CI job: vitest and jest, pytest, cargo, go test, and compilers.

export interface Frame {
  readonly file: string;
  readonly line: number;
}

export interface Failure {
  readonly id: string;
  readonly tool: string;
  readonly test: string;
  readonly message: string;
  /** `environment`: a network, a disk or a limit failed, so that no change is to blame. */
  readonly kind: 'assertion' | 'exception' | 'compile' | 'environment';
  readonly frames: readonly Frame[];
  /** The source lines that the log shows around the failure. */
  readonly code: readonly string[];
  /** The first and the last line in the log. */
  readonly lines: readonly [number, number];
}

interface LogLine {
  readonly number: number;
  readonly text: string;
}

/** Colors, and the timestamps that CI servers write before each line. */
const NOISE = new RegExp(
  `${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]|^\\uFEFF|^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ?`,
  'g',
);

const ENVIRONMENT =
  /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ENOSPC|No space left|name resolution|429 Too Many|50[234] (Service|Bad|Gateway)|rate limit|out of memory|certificate has expired|Connection (refused|reset)|Could not resolve host|Max retries exceeded/i;

/** A place in a source file: `src/a.ts:12:5`, `tests/test_a.py:7`, `at f (/x/src/a.js:3:1)`. */
const PLACE = /(?:^|[\s(])((?:[A-Za-z]:)?[\w@./-]+\.[a-z]{1,4}):(\d+)(?::\d+)?/;

export function readFailures(log: string): readonly Failure[] {
  const lines = log.split(/\r?\n/).map((text, at) => ({ number: at + 1, text: text.replace(NOISE, '') }));
  const found = [
    ...vitest(lines),
    ...jest(lines),
    ...pytest(lines),
    ...cargo(lines),
    ...goTest(lines),
    ...compilers(lines),
  ];
  const seen = new Set<string>();
  return found
    .filter(({ test, message }) => !seen.has(`${test} ${message}`) && seen.add(`${test} ${message}`))
    .map((each, at) => ({ ...each, id: `f${at + 1}` }));
}

type Found = Omit<Failure, 'id'>;

/** The lines from a heading to the next line that ends the block. */
function blocks(lines: readonly LogLine[], begins: RegExp, ends: RegExp): readonly (readonly LogLine[])[] {
  return lines.flatMap((line, at) => {
    if (!begins.test(line.text)) return [];
    const length = lines.slice(at + 1).findIndex(({ text }) => ends.test(text) || begins.test(text));
    return [lines.slice(at, length < 0 ? lines.length : at + 1 + length)];
  });
}

function failureOf(
  tool: string,
  test: string,
  block: readonly LogLine[],
  messages: readonly string[],
  code: readonly string[],
): Found {
  const all = block.map(({ text }) => text).join('\n');
  const message = messages.find((text) => text.trim() !== '')?.trim() ?? 'failed';
  const frames = block.flatMap(({ text }) => {
    const [, file = '', line = ''] = PLACE.exec(text) ?? [];
    return file === '' || /node_modules|site-packages|\/rustc\/|^node:|\/usr\/lib/.test(file)
      ? []
      : [{ file, line: Number(line) }];
  });
  const kind = ENVIRONMENT.test(all)
    ? 'environment'
    : /assert|expect|left == right|panicked/i.test(message)
      ? 'assertion'
      : 'exception';
  return { tool, test, message, kind, frames, code, lines: [block[0]?.number ?? 0, block.at(-1)?.number ?? 0] };
}

function vitest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^\s*FAIL {2}\S+.*>/, /^⎯+/).map((block) => {
    const texts = block.map(({ text }) => text);
    const test = (texts[0] ?? '').replace(/^\s*FAIL\s+/, '').trim();
    const code = texts.flatMap((text) => /^\s*\d+\|(.*)$/.exec(text)?.[1] ?? []);
    return failureOf('vitest', test, block, texts.slice(1), code);
  });
}

function jest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^\s*● .+ › /, /^(Test Suites:|\s*(PASS|FAIL) )/).map((block) => {
    const texts = block.map(({ text }) => text);
    const code = texts.flatMap((text) => /^\s*>?\s*\d+ \|(.*)$/.exec(text)?.[1] ?? []);
    return failureOf('jest', (texts[0] ?? '').replace(/^\s*● /, '').trim(), block, texts.slice(1), code);
  });
}

function pytest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^_{3,} .+ _{3,}$/, /^(=+ .* =+|-+ Captured)/).map((block) => {
    const texts = block.map(({ text }) => text);
    const errors = texts.flatMap((text) => /^E\s+(.*)$/.exec(text)?.[1] ?? []);
    const code = texts.filter((text) => /^(>| {4})/.test(text)).map((text) => text.replace(/^>/, ' '));
    return failureOf('pytest', (texts[0] ?? '').replace(/^_+ | _+$/g, ''), block, errors, [...code, ...errors]);
  });
}

function cargo(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^---- .+ stdout ----$/, /^failures:/).map((block) => {
    const texts = block.map(({ text }) => text);
    const at = texts.findIndex((text) => text.includes('panicked at'));
    const old = /panicked at '(.*)',/.exec(texts[at] ?? '')?.[1];
    const name = /^---- (.+) stdout/.exec(texts[0] ?? '')?.[1] ?? '';
    return failureOf('cargo', name, block, [old ?? texts[at + 1] ?? '', 'panicked'], texts.slice(at + 1));
  });
}

function goTest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^\s*--- FAIL: /, /^(\s*--- |FAIL|ok\s|PASS)/).map((block) => {
    const texts = block.map(({ text }) => text);
    const name = /--- FAIL: (\S+)/.exec(texts[0] ?? '')?.[1] ?? '';
    const told = texts.slice(1).map((text) => text.replace(/^\s*[\w./-]+\.go:\d+: /, ''));
    return failureOf('go test', name, block, told, told);
  });
}

/** `src/a.ts(12,5): error TS2322: text`, `src/a.ts:12:5 - error TS2322: text`, and rustc's two lines. */
function compilers(lines: readonly LogLine[]): readonly Found[] {
  return lines.flatMap((line, at) => {
    const own = /^(?:##\[error\])?(\S+\.\w+)[(:](\d+)[,:](\d+)\)?(?::| -) error (\w+): (.*)$/.exec(line.text);
    const rust = /^error(\[E\d+\])?: (.*)$/.exec(line.text);
    const place = / --> (\S+):(\d+):\d+/.exec(lines[at + 1]?.text ?? '');
    const [file, number, message, code] =
      own !== null
        ? [own[1] ?? '', own[2], `${own[4]}: ${own[5]}`, [own[5] ?? '']]
        : [place?.[1] ?? '', place?.[2], `${rust?.[2]}`, lines.slice(at + 2, at + 8).map(({ text }) => text)];
    if (file === '' || (own === null && rust === null)) return [];
    const frames = [{ file, line: Number(number) }];
    const span: [number, number] = [line.number, line.number + (own === null ? 1 : 0)];
    return [
      { tool: 'compiler', test: `${file}:${number}`, message, kind: 'compile' as const, frames, code, lines: span },
    ];
  });
}
