// Asks the person at this terminal to decide at a run's open gates, one by one.
import { createInterface } from 'node:readline';

import type { RunOrder } from '../../engine/record/order.schema.ts';
import { runTime } from '../../engine/state/run-time.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import { span } from '../../view/line.ts';
import { openGatesOf } from '../../view/open-gates.ts';
import type { Call } from '../command.ts';
import { orderer } from '../open-engine.ts';
import { commandLine } from '../store-file.ts';
import type { Terminal } from '../terminal.ts';
import { askGate, type Person } from './ask-gate.ts';
import { findGate } from './find-gate.ts';
import { gateLines } from './gate-text.ts';

/** The most lines of context that are shown, so that the question stays on the screen. */
const SHOWN = 40;

/** Tells whether there is a person at this terminal to ask. */
export function mayAsk({ given }: Call): boolean {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  return given.has('ask') && !['json', 'quiet', 'wait', 'ui'].some((flag) => given.has(flag));
}

/**
 * Returns the first decision; undefined when all gates stay open, `expired` when a gate's deadline has passed. `left`
 * collects the gates that must not be asked again.
 */
export async function askOpenGates(
  { given, terminal }: Call,
  engine: Engine,
  run: string,
  left: Set<string>,
): Promise<RunOrder | 'expired' | undefined> {
  for (;;) {
    const read = engine.read(run);
    if (!read.ok) return undefined;
    const now = runTime(read.value.state, Date.now());
    const open = openGatesOf(read.value.state);
    if (open.some(({ until }) => until !== undefined && until <= now)) return 'expired';
    const next = open.find((gate) => gate.kind !== 'child' && !left.has(gate.gate));
    const found = next === undefined ? undefined : findGate(engine, read.value, next.gate);
    if (next === undefined || found?.ok !== true) return undefined;
    const { record, gate } = found.value;
    const lines = await gateLines(record, gate, SHOWN);
    terminal.say([[], ...lines]);
    if (lines.length > SHOWN)
      terminal.say([[span(`see it whole: ${commandLine(given, 'gates', run, next.gate)}`, 'dim')]]);
    const person = personAt(terminal, process.stdin, process.stderr);
    const reply = await askGate(person, gate);
    person.leave();
    if ('said' in reply) return { type: 'review', gate: next.gate, ...reply.said, by: orderer() };
    if (reply.left === 'gone') return undefined;
    left.add(next.gate);
  }
}

export interface TerminalPerson extends Person {
  /** Releases the keyboard. */
  leave(): void;
}

/** Ctrl-C and Ctrl-D end the questions, not the process. */
export function personAt(
  terminal: Terminal,
  keyboard: NodeJS.ReadableStream,
  screen: NodeJS.WritableStream,
): TerminalPerson {
  const reader = createInterface({ input: keyboard, output: screen });
  const typed: string[] = [];
  let isGone = false;
  let listener: (() => void) | undefined;
  const wake = (): void => {
    listener?.();
    listener = undefined;
  };
  reader.on('line', (line) => {
    typed.push(line);
    wake();
  });
  reader.on('SIGINT', () => reader.close());
  reader.on('close', () => {
    isGone = true;
    wake();
  });
  return {
    say: terminal.say,
    ask: async (prompt) => {
      if (typed.length === 0 && !isGone) {
        reader.setPrompt(prompt);
        reader.prompt();
        await new Promise<void>((resolve) => {
          listener = resolve;
        });
      }
      return typed.shift();
    },
    leave: () => reader.close(),
  };
}
