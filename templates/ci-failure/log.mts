// Reads failures from the log of a CI job: vitest, jest, node --test, pytest, unittest, cargo, go test, and compilers.

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

/** Colors, and what CI servers and `gh run view --log` write before each line: job, step and time. */
const NOISE = new RegExp(
  `${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]|^\\uFEFF|^(?:[^\\t]*\\t[^\\t]*\\t\\uFEFF?)?\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ?`,
  'g',
);

const ENVIRONMENT =
  /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ENOSPC)\b|No space left|name resolution|429 Too Many|50[234] (Service|Bad|Gateway)|rate limit|out of memory|certificate has expired|Connection (refused|reset)|Could not resolve host|Max retries exceeded/i;

/** A place in a source file: `src/a.ts:12:5`, `tests/test_a.py:7`, `at f (/x/src/a.js:3:1)`. */
const PLACE = /(?:^|[\s(])((?:[A-Za-z]:)?[\w@./-]+\.[a-z]{1,4}):(\d+)(?::\d+)?/;

export function readFailures(log: string): readonly Failure[] {
  const lines = log.split(/\r?\n/).map((text, at) => ({ number: at + 1, text: text.replace(NOISE, '') }));
  const found = [
    ...vitest(lines),
    ...jest(lines),
    ...nodeTest(lines),
    ...pytest(lines),
    ...unittest(lines),
    ...cargo(lines),
    ...goTest(lines),
    ...compilers(lines),
  ];
  const seen = new Set<string>();
  return (found.length > 0 ? found : lastWords(lines))
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
    const [, file = '', line = ''] = /File "([^"]+)", line (\d+)/.exec(text) ?? PLACE.exec(text) ?? [];
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
  return blocks(lines, /^\s*FAIL {2}\S+/, /^⎯+/).map((block) => {
    const texts = block.map(({ text }) => text);
    const test = (texts[0] ?? '').replace(/^\s*FAIL\s+/, '').trim();
    const code = texts.flatMap((text) => /^\s*\d+\|(.*)$/.exec(text)?.[1] ?? []);
    return failureOf('vitest', test, block, texts.slice(1), code);
  });
}

function jest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^\s*● .+ › |^ {2}● \S/, /^(Test Suites:|\s*(PASS|FAIL) )/).map((block) => {
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
    return failureOf(
      'cargo',
      name,
      block,
      [old ?? (at < 0 ? texts.slice(1).find((text) => text !== '') : texts[at + 1]) ?? '', 'panicked'],
      texts.slice(at + 1),
    );
  });
}

/** TAP, and the list at the end of the readable report. A suite that failed by its tests alone is left out. */
function nodeTest(lines: readonly LogLine[]): readonly Found[] {
  const tap = blocks(lines, /^\s*not ok \d+ - /, /^\s*(\.\.\.$|ok \d+ - )/).flatMap((block) => {
    const texts = block.map(({ text }) => text);
    if (texts.some((text) => text.includes("'subtestsFailed'"))) return [];
    const at = texts.findIndex((text) => /^\s*error: /.test(text));
    const own = /^\s*error: (?:[|>]-|'?(.*?)'?)$/.exec(texts[at] ?? '')?.[1] ?? texts[at + 1] ?? '';
    return [failureOf('node --test', (texts[0] ?? '').replace(/^\s*not ok \d+ - /, ''), block, [own], texts.slice(1))];
  });
  const readable = blocks(lines, /^test at \S+:\d+:\d+$/, /^(test at |# |ℹ )/).map((block) => {
    const texts = block.map(({ text }) => text);
    const name = (texts[1] ?? '').replace(/^\s*✖ /, '').replace(/ \([\d.]+m?s\)$/, '');
    return failureOf('node --test', name, block, texts.slice(2), texts.slice(2));
  });
  return [...tap, ...readable];
}

function unittest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^(FAIL|ERROR): \S+ \(.+\)/, /^(={20,}|Ran \d+ tests?)/).map((block) => {
    const texts = block.map(({ text }) => text);
    const errors = texts.filter((text) => /^[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt|Warning)\b/.test(text));
    const name = /: (\S+ \(.+\))/.exec(texts[0] ?? '')?.[1] ?? '';
    return failureOf('unittest', name, block, errors, texts.slice(2));
  });
}

/** A test that failed by its subtests alone is left out. */
function goTest(lines: readonly LogLine[]): readonly Found[] {
  return blocks(lines, /^\s*--- FAIL: /, /^(\s*--- |FAIL|ok\s|PASS)/).flatMap((block) => {
    const texts = block.map(({ text }) => text);
    const name = /--- FAIL: (\S+)/.exec(texts[0] ?? '')?.[1] ?? '';
    const isParent = lines.some(({ text }) => text.includes(`--- FAIL: ${name}/`));
    const told = texts.slice(1).map((text) => text.replace(/^\s*[\w./-]+\.go:\d+: /, ''));
    return isParent && told.length === 0 ? [] : [failureOf('go test', name, block, told, told)];
  });
}

/** One line of a compiler: TypeScript and C#, gcc, clang, javac and mypy, Maven, go. */
const COMPILERS = [
  /^(?:##\[error\])?([^\s:(]+\.\w+)[(:](\d+)[,:]\d+\)?(?::| -) error (\w+: .*)$/,
  /^(?:##\[error\])?((?:[A-Za-z]:)?[^\s:(]+\.\w+):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$/,
  /^\[ERROR\] (\S+\.\w+):\[(\d+),\d+\] (.*)$/,
  /^(?:vet: )?((?:[A-Za-z]:)?[^\s:(]+\.go):(\d+):\d+: (.*)$/,
] as const;

/** The lines that {@link COMPILERS} read, and the two lines of rustc. */
function compilers(lines: readonly LogLine[]): readonly Found[] {
  return lines.flatMap((line, at) => {
    const own = COMPILERS.map((pattern) => pattern.exec(line.text)).find((each) => each !== null);
    const rust = /^error(?:\[E\d+\])?: (.*)$/.exec(line.text);
    const place = / --> (\S+):(\d+):\d+/.exec(lines[at + 1]?.text ?? '');
    const [, file = '', number = ''] = own ?? (rust === null ? [] : (place ?? []));
    if (file === '') return [];
    const message = own?.[3] ?? rust?.[1] ?? '';
    const code = own === undefined ? lines.slice(at + 2, at + 8).map(({ text }) => text) : [message];
    const frames = [{ file, line: Number(number) }];
    const span: [number, number] = [line.number, line.number + (own === undefined ? 1 : 0)];
    return [
      { tool: 'compiler', test: `${file}:${number}`, message, kind: 'compile' as const, frames, code, lines: span },
    ];
  });
}

/** The errors of a log in which no tool is known: a program that was not found, a thrown error, an annotation. */
function lastWords(lines: readonly LogLine[]): readonly Found[] {
  const words =
    /^(?:##\[error\](?!Process completed)|\w*(?:Error|Exception)\b.*: |fatal: |error: |ERROR:? |.*: (?:command )?not found$|.*No such file or directory$|make: \*\*\*|npm (?:ERR!|error) (?!code|A complete log|path|command|errno|syscall|\s*$))/;
  const first = lines.filter(({ text }) => words.test(text)).slice(0, 5);
  return first.map((line) => {
    const block = lines.slice(line.number - 1, line.number + 9);
    const message = line.text.replace('##[error]', '');
    return failureOf('job', message.slice(0, 80), block, [message], [message]);
  });
}
