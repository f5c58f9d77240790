// Spans of gates: from opening to decision, expiry, or the end of the waiting step.
import type { EventOf } from '../engine/record/event.schema.ts';
import type { Attributes } from './attributes.ts';
import { content, endSpan, startSpan, type Tracing } from './tracing.ts';

/** `parent` is the span of the step that the gate was opened for. */
export function openGate(tracing: Tracing, parent: string, event: EventOf<'gate.opened'>): void {
  const { gate, step, kind, prompt } = event;
  const span = startSpan(tracing, {
    kind: 'gate',
    name: `gate ${kind}`,
    parent,
    attributes: {
      'reconverge.gate.id': gate,
      'reconverge.gate.kind': kind,
      'reconverge.step.id': step,
      ...content(tracing, { 'reconverge.gate.prompt': prompt }),
    },
  });
  tracing.gates.set(gate, { span, holds: new Set() });
  holdStep(tracing, gate, step);
}

export function holdStep(tracing: Tracing, gate: string, step: string): void {
  releaseStep(tracing, step);
  tracing.gates.get(gate)?.holds.add(step);
  tracing.held.set(step, gate);
}

export function closeGate(tracing: Tracing, gate: string, attributes: Attributes): void {
  const open = tracing.gates.get(gate);
  if (open === undefined) return;
  tracing.gates.delete(gate);
  for (const step of open.holds) tracing.held.delete(step);
  endSpan(tracing, open.span, attributes);
}

/** Releases a step from its gate, and ends the gate's span when it holds no other step. */
export function releaseStep(tracing: Tracing, step: string): void {
  const gate = tracing.held.get(step);
  if (gate === undefined) return;
  tracing.held.delete(step);
  const open = tracing.gates.get(gate);
  open?.holds.delete(step);
  if (open?.holds.size === 0) closeGate(tracing, gate, { 'reconverge.status': 'closed' });
}

export function closeGates(tracing: Tracing): void {
  for (const gate of [...tracing.gates.keys()]) closeGate(tracing, gate, { 'reconverge.status': 'closed' });
}
