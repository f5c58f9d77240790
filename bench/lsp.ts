// Measures the language server's answers after a keystroke in a template of 500 lines, over the real protocol. Diagnostics come 80 ms after the last change.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  createProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { printTable } from './table.ts';

/** Keystrokes for each row of the table. */
const KEYSTROKES = 40;
const uri = 'file:///bench/a.yaml';

const head = `reconverge: 1
name: bench
capabilities: [catalog]
input: "{folder :string}"
steps:
  - name: ls
    handler: files.list
    input: { folder: "{{ input.folder }}" }
`;
/** Six lines. */
const step = (nth: number): string => `  - name: step_${nth}
    type: compute
    dependencies: [${nth === 0 ? 'ls' : `step_${nth - 1}`}]
    description: Counts the files of the folder, and adds the result of the step before.
    when: !lisp (pos? (count (:files (:ls data/results))))
    expr: (+ (count (:files (:ls data/results))) ${nth})
`;
const steps = Array.from({ length: 82 }, (_, nth) => step(nth));

/** Pieces that are typed letter by letter behind the fortieth step. */
const typed: Readonly<Record<string, string>> = {
  'keys of a step': '  - name: more\n    dependencies',
  'names of steps': '  - name: more\n    dependencies: [step_1, step_2, st',
  capabilities: '  - name: more\n    handler: files.list',
  parameters: '  - name: more\n    handler: files.list\n    input: { folder',
  'a reference': '  - name: more\n    handler: files.read\n    input: { path: "{{ results.ls.files.0.path',
  Lisp: '  - name: more\n    type: compute\n    expr: (map :path (:files (:ls data/results',
  'an open quote': '  - name: more\n    handler: files.read\n    description: "Reads it all',
};

const program = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const child = spawn(process.execPath, [program, 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = createProtocolConnection(
  new StreamMessageReader(child.stdout),
  new StreamMessageWriter(child.stdin),
);
const published = new Map<number, () => void>();
connection.onNotification('textDocument/publishDiagnostics', ({ version = 0 }: PublishDiagnosticsParams) => {
  published.get(version)?.();
});
connection.listen();
await connection.sendRequest('initialize', {
  processId: process.pid,
  rootUri: 'file:///bench',
  capabilities: {},
});
await connection.sendNotification('initialized', {});

let version = 1;
let text = '';
const rows: string[][] = [];
for (const [what, piece] of Object.entries(typed)) {
  const before = head + steps.slice(0, 40).join('');
  const after = `\n${steps.slice(40).join('')}`;
  const letters = [...piece].slice(-Math.min(piece.length - 1, KEYSTROKES));
  const start = piece.slice(0, piece.length - letters.length);
  text = before + start + after;
  let processor = 0;
  let answers = 0;
  await open(text);
  const took: Record<string, number[]> = { completion: [], hover: [], definition: [], diagnostics: [] };
  const rounds = Math.ceil(KEYSTROKES / letters.length);
  for (let round = 0; round < rounds; round++) {
    let offset = before.length + start.length;
    const begun = processorTime();
    for (const letter of letters) {
      for (const method of ['completion', 'hover', 'definition'] as const) {
        const [at, inserted] = method === 'completion' ? [offset, letter] : [offset, ''];
        const ms = await answered(method, at, inserted);
        took[method]?.push(ms);
        if (inserted !== '') offset += 1;
      }
    }
    processor += processorTime() - begun;
    answers += letters.length * 3;
    for (let nth = 0; nth < 5; nth++) took.diagnostics?.push(await diagnosed(offset));
    await open(before + start + after);
  }
  rows.push([
    what,
    ...Object.values(took).map((each) => `${percentile(each, 50)} / ${percentile(each, 95)}`),
    (processor / answers).toFixed(1),
  ]);
}
console.log(`${text.split('\n').length} lines, ${KEYSTROKES} keystrokes or more a row: milliseconds, median / p95`);
printTable(
  'Answers after a keystroke',
  ['typed', 'completion', 'hover', 'definition', 'diagnostics', 'processor time of an answer'],
  rows,
);
console.log(
  `\nload of the machine: ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`,
);
await connection.sendRequest('shutdown');
await connection.sendNotification('exit');

/** The server's processor time so far, in milliseconds; Linux counts it in hundredths of a second. */
function processorTime(): number {
  const [, rest = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function open(whole: string): Promise<void> {
  version += 1;
  text = whole;
  const shown = new Promise<void>((resolve) => published.set(version, resolve));
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version, text },
  });
  await shown;
}

/** Types a letter, and asks at once. */
async function answered(method: string, offset: number, letter: string): Promise<number> {
  const began = performance.now();
  type(offset, letter);
  await connection.sendRequest(`textDocument/${method}`, {
    textDocument: { uri },
    position: positionAt(offset + letter.length),
  });
  return performance.now() - began;
}

/** Types nothing, so that the analysis runs again. */
async function diagnosed(offset: number): Promise<number> {
  const began = performance.now();
  const shown = new Promise<void>((resolve) => published.set(version + 1, resolve));
  type(offset, '');
  await shown;
  return performance.now() - began;
}

function type(offset: number, letter: string): void {
  version += 1;
  const position = positionAt(offset);
  text = text.slice(0, offset) + letter + text.slice(offset);
  void connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ range: { start: position, end: position }, text: letter }],
  });
}

function positionAt(offset: number): { readonly line: number; readonly character: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function percentile(all: readonly number[], percent: number): string {
  const sorted = all.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0).toFixed(1);
}
