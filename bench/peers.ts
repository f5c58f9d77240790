// Compares with other durable engines on the same job: layers of 20 trivial steps, each engine in a process of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Durability } from './floor.ts';
import { OURS, type Peer, peers } from './peers/peer.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const ROUNDS = 3;
const WIDTH = 20;
const program = fileURLToPath(import.meta.url);

interface Measured {
  readonly perSecond: number;
  /** Time per step in the last tenth ÷ in the first. */
  readonly growth: number;
  /** Absent when the store is no file. */
  readonly bytes: number | undefined;
}

async function measure(name: string, file: string, steps: number, durability: Durability): Promise<Measured> {
  const { peer } = await peerCalled(name);
  const marks: number[] = [];
  let ended = 0;
  const { took } = await peer.run(file, { steps, width: WIDTH }, durability, () => {
    ended += 1;
    if (ended % (steps / 10) === 0) marks.push(performance.now());
  });
  if (ended !== steps) throw new Error(`${ended} of ${steps} steps have run`);
  const [first = 0, second = 0] = marks;
  const last = (marks.at(-1) ?? 0) - (marks.at(-2) ?? 0);
  const kept = statSync(file, { throwIfNoEntry: false });
  return {
    perSecond: (steps * 1_000) / took,
    growth: last / (second - first),
    bytes: kept?.isFile() === true ? kept.size / steps : undefined,
  };
}

async function peerCalled(name: string): Promise<{ readonly peer: Peer }> {
  const load = peers[name];
  if (load === undefined) throw new Error(`no peer is called "${name}"`);
  return await load();
}

function inProcess(name: string, file: string, steps: number, durability: Durability): Measured {
  const args = [program, name, file, String(steps), durability];
  const text = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  rmSync(file, { recursive: true, force: true });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Measured;
}

async function compare(steps: number, durability: Durability): Promise<void> {
  const store = scratch();
  const names: string[] = [];
  for (const name of Object.keys(peers)) {
    const { peer } = await peerCalled(name);
    if (peer.most >= steps && peer.durabilities.includes(durability)) names.push(name);
  }
  const rounds = Array.from({ length: ROUNDS }, () =>
    Object.fromEntries(names.map((name) => [name, inProcess(name, store.file(), steps, durability)] as const)),
  );
  store.remove();
  const of = (name: string) => rounds.flatMap((round) => round[name] ?? []);
  const ratio = (name: string) =>
    median(rounds.map((round) => (round[OURS]?.perSecond ?? 0) / (round[name]?.perSecond ?? 1)));
  const rows = names.map((name) => {
    const bytes = of(name).flatMap((each) => each.bytes ?? []);
    return [
      name,
      Math.round(median(of(name).map(({ perSecond }) => perSecond))),
      name === OURS ? '' : ratio(name),
      median(of(name).map(({ growth }) => growth)),
      bytes.length === 0 ? '' : Math.round(median(bytes)),
    ];
  });
  printTable(
    `${steps.toLocaleString('en-US')} steps in layers of ${WIDTH}, ${durability}: medians of ${ROUNDS} rounds`,
    ['engine', 'steps/s', 'ours ÷ theirs', 'last ÷ first tenth', 'bytes per step'],
    rows,
  );
}

const [name, file, steps, durability] = process.argv.slice(2);
if (name !== undefined && file !== undefined) {
  const measured = await measure(name, file, Number(steps), durability === 'strict' ? 'strict' : 'relaxed');
  console.log(`\n${JSON.stringify(measured)}`);
  process.exit(0);
}
if (!existsSync(fileURLToPath(new URL('node_modules/@langchain', import.meta.url)))) {
  console.error('The engines to compare with are not installed. Install them: npm ci --prefix bench');
  process.exit(2);
}
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores`);
for (const name of Object.keys(peers)) console.log(`${name}: ${(await peerCalled(name)).peer.note}`);
for (const steps of [1_000, 10_000])
  for (const durability of ['strict', 'relaxed'] as const) await compare(steps, durability);
