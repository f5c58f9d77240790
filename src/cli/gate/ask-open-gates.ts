// Asks the person at this terminal to decide at a run's open gates, one by one.

import type { RunOrder } from '../../engine/record/order.schema.ts';
import { runTime } from '../../engine/state/run-time.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import { span } from '../../view/line.ts';
import { openGatesOf } from '../../view/open-gates.ts';
import type { Call } from '../command.ts';
import { orderer } from '../open-engine.ts';
import { commandLine } from '../store-file.ts';
import { askGate } from './ask-gate.ts';
import { findGate } from './find-gate.ts';
import { gateLines } from './gate-text.ts';
import { personAt } from './person.ts';

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
