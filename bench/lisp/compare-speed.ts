// The table of speed: each engine runs in its own processes, in several rounds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, printTable } from '../table.ts';
import { engineNamed, engines, expressionNames, OURS } from './engine.ts';
import type { Figures } from './measure.ts';

const PASSES = 3;
const columns = [...expressionNames, 'compile'] as const;
const goals: readonly number[] = [0.15, 0.4, 0.6, 40, 15];
/** The speed in multiples of JSONata. */
const jsonataGoals: readonly number[] = [10, 10, 10, 20];

/** Microseconds by column. The reason for an engine that cannot be measured. */
type Row = readonly number[];

export async function compareSpeed(): Promise<void> {
  const names = Object.keys(engines);
  const rows = new Map<string, Row[]>(names.map((name) => [name, []]));
  const troubles = new Map<string, string>();
  for (let pass = 0; pass < PASSES; pass++) {
    for (const name of names) {
      if (troubles.has(name)) continue;
      const figures = measure(name);
      if (typeof figures === 'string') troubles.set(name, figures);
      else rows.get(name)?.push([...expressionNames.map((each) => figures.evaluate[each]), figures.compile]);
    }
  }
  const ours = rows.get(OURS) ?? [];
  const timesOurs = (name: string): Row =>
    byColumn((column) => (rows.get(name) ?? []).map((row, pass) => at(row, column) / at(ours[pass] ?? [], column)));
  const table = (title: string, cells: (name: string) => readonly string[], more: readonly string[][] = []): void =>
    printTable(
      title,
      ['engine', ...columns, ''],
      [
        ...names.map((name) => [name, ...(troubles.has(name) ? columns.map(() => '–') : cells(name)), note(name)]),
        ...more,
      ],
    );
  const notes = new Map<string, string>();
  for (const name of names) notes.set(name, troubles.get(name) ?? (await engineNamed(name)).note);
  const note = (name: string): string => notes.get(name) ?? '';

  table(
    `Microseconds; p1 to p4 for an evaluation, compile for the mean of the four (medians of ${PASSES} processes)`,
    (name) => byColumn((column) => (rows.get(name) ?? []).map((row) => at(row, column))).map(shown),
    [['**goal**', ...goals.map((goal) => `≤ ${goal}`), 'PERF7']],
  );
  table('Times ours (above 1: ours is faster)', (name) => timesOurs(name).map(shown), [
    ['**goal for jsonata**', ...jsonataGoals.map((goal) => `≥ ${goal}`), '', 'PERF7'],
  ]);
}

function byColumn(valuesOf: (column: number) => readonly number[]): Row {
  return columns.map((_, column) => median(valuesOf(column)));
}

function at(row: Row, column: number): number {
  return row[column] ?? Number.NaN;
}

function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

/** Checks the values first; a text is the reason: not installed, not loadable, or wrong values. */
function measure(name: string): Figures | string {
  const file = fileURLToPath(new URL('measure.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, name], { encoding: 'utf8' });
  if (status === 0) return JSON.parse(stdout) as Figures;
  return `not measured: ${/^\w*Error.*$/m.exec(stderr)?.[0] ?? `exit code ${status}`}`;
}
