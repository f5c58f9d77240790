// PERF8: what the built command line adds to the start of Node itself, each command beside a bare `node -e 0`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { median, printTable } from './table.ts';

const ROUNDS = 15;
const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const entry = path('dist/cli/main.js');
if (!existsSync(entry)) throw new Error('there is no dist/cli/main.js; build it first: npm run build');

const folder = mkdtempSync(join(tmpdir(), 'reconverge-bench-'));
const yaml = path('templates/recon-then-execute.yaml');
const json = join(folder, 'recon-then-execute.json');
const lisp = { tag: '!lisp', resolve: (source: string) => ({ $lisp: source }) };
writeFileSync(json, JSON.stringify(parse(readFileSync(yaml, 'utf8'), { customTags: [lisp] })));

/** Milliseconds from the start of the process to its end, or to the first line on its output that says `until`. */
async function time(words: readonly string[], until?: string): Promise<number> {
  const began = performance.now();
  if (until === undefined) {
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return performance.now() - began;
  }
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes(until)) break;
  }
  const took = performance.now() - began;
  child.kill('SIGKILL');
  if (!said.includes(until)) throw new Error(`${words.join(' ')} never said ${until}`);
  return took;
}

let stores = 0;
const cases: readonly { name: string; goal: string; words: () => readonly string[]; until?: string }[] = [
  { name: '--version', goal: '≤ 15', words: () => ['--version'] },
  { name: '--help', goal: '≤ 15', words: () => ['--help'] },
  { name: 'validate (JSON)', goal: '≤ 40', words: () => ['validate', json] },
  { name: 'validate (YAML)', goal: '≤ 75', words: () => ['validate', yaml] },
  {
    name: 'run, until its first step has ended',
    goal: '≤ 120',
    words: () => [
      ...['run', yaml, '--json', '--store', join(folder, `${++stores}.db`)],
      ...['--input', `folder=${path('templates/data/shop')}`],
    ],
    until: 'step.completed',
  },
];

const rows: (string | number)[][] = [];
for (const { name, goal, words, until } of cases) {
  const pairs: { bare: number; ours: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await time(['-e', '0']);
    const ours = await time([entry, ...words()], until);
    // The first fills the compile cache.
    if (round > 0) pairs.push({ bare, ours });
  }
  const bare = median(pairs.map((pair) => pair.bare));
  const added = median(pairs.map((pair) => pair.ours - pair.bare));
  rows.push([name, bare, bare + added, added, goal]);
}
printTable(
  `PERF8: start-up in milliseconds, medians of ${ROUNDS} pairs`,
  ['command', 'bare node', 'ours', 'added', 'goal'],
  rows,
);
rmSync(folder, { recursive: true, force: true });
