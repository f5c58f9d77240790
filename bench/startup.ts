// PERF8: measures what the built command line adds to the start of Node, beside a bare `node -e 0`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { median, printTable } from './table.ts';

const ROUNDS = 15;
const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const entry = path('dist-cli/cli/main.js');
if (!existsSync(entry)) throw new Error('there is no dist-cli/cli/main.js; build it first: npm run build');

const folder = mkdtempSync(join(tmpdir(), 'reconverge-bench-'));
const yaml = path('templates/recon-then-execute.yaml');
const json = join(folder, 'recon-then-execute.json');
const lisp = { tag: '!lisp', resolve: (source: string) => ({ $lisp: source }) };
writeFileSync(json, JSON.stringify(parse(readFileSync(yaml, 'utf8'), { customTags: [lisp] })));

/** Loaded first: prints the processor time of the main thread to standard error, at the end or at the text `UNTIL`. */
const meter = join(folder, 'meter.cjs');
writeFileSync(
  meter,
  `const { UNTIL } = process.env;
const tell = () => require('node:fs').writeSync(2, 'processor ' + Object.values(process.threadCpuUsage()).join(' '));
const write = process.stdout.write.bind(process.stdout);
if (UNTIL) process.stdout.write = (text, ...rest) => {
  if (!String(text).includes(UNTIL)) return write(text, ...rest);
  tell();
  process.reallyExit(0);
};
else process.on('exit', tell);`,
);

/** Milliseconds. */
interface Took {
  readonly wall: number;
  /** CPU time of the main thread, without the time of other processes. */
  readonly processor: number;
}

/** From the start of the process to its end, or to its output of `until`. */
function time(words: readonly string[], until = '', more: Readonly<Record<string, string>> = {}): Took {
  const began = performance.now();
  const env = { ...process.env, UNTIL: until, ...more };
  const { status, stderr } = spawnSync(process.execPath, ['--require', meter, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  const wall = performance.now() - began;
  const said = /processor (\d+) (\d+)/.exec(stderr);
  if (status !== 0 || said === null) throw new Error(`${words.join(' ')}: ${stderr}`);
  return { wall, processor: (Number(said[1]) + Number(said[2])) / 1_000 };
}

let stores = 0;
function run(): readonly string[] {
  return [
    ...['run', yaml, '--json', '--store', join(folder, `${++stores}.db`)],
    ...['--input', `folder=${path('templates/data/shop')}`],
  ];
}

const cases: readonly {
  name: string;
  goal: string;
  words: () => readonly string[];
  until?: string;
  env?: Readonly<Record<string, string>>;
}[] = [
  { name: '--version', goal: '≤ 15', words: () => ['--version'] },
  { name: '--help', goal: '≤ 15', words: () => ['--help'] },
  { name: 'validate (JSON)', goal: '≤ 40', words: () => ['validate', json] },
  { name: 'validate (YAML)', goal: '≤ 75', words: () => ['validate', yaml] },
  { name: 'run, until its first step has ended', goal: '≤ 120', words: run, until: 'step.completed' },
  {
    name: 'the same, with the OpenTelemetry SDK',
    goal: '≤ 5 % more',
    words: run,
    until: 'step.completed',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  },
];

const rows: (string | number)[][] = [];
for (const { name, goal, words, until, env } of cases) {
  const pairs: { bare: Took; ours: Took }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = time(['-e', '0']);
    const ours = time([entry, ...words()], until, env);
    // The first start fills the compile cache.
    if (round > 0) pairs.push({ bare, ours });
  }
  const added = (what: keyof Took) => median(pairs.map(({ bare, ours }) => ours[what] - bare[what]));
  const bare = median(pairs.map((pair) => pair.bare.wall));
  rows.push([name, bare, bare + added('wall'), added('wall'), goal, added('processor')]);
}
printTable(
  `PERF8: start-up in milliseconds, medians of ${ROUNDS} pairs`,
  ['command', 'bare node', 'ours', 'added', 'goal', 'added, of the processor'],
  rows,
);
rmSync(folder, { recursive: true, force: true });
