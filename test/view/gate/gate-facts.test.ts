// The facts of a gate: its question, the consequences of an answer, and the writes behind it.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/engine/record/event.schema.ts';
import type { GateKind } from '../../../src/engine/record/gate-events.schema.ts';
import { type GateFacts, gateFacts } from '../../../src/view/gate/gate-facts.ts';
import { templateOf, work } from '../../engine/template-of.ts';
import { asked, began, completed, frame, tell } from '../story.ts';

const prompt = 'Six phases are done. May it be published?';

function factsOf(kind: GateKind, template: typeof frame = frame, events: readonly Event[] = []): GateFacts {
  const { state } = tell(template, [...events, began('ingest'), asked('ingest', kind, { prompt })]);
  const gate = state.gates.get('g1');
  if (gate === undefined) throw new Error('there is no gate');
  return gateFacts(state, gate);
}

describe('the facts of a gate', () => {
  it('separate the question from its explanation', () => {
    expect(factsOf('review')).toMatchObject({
      kind: 'review',
      question: 'May it be published?',
      rest: 'Six phases are done.',
    });
  });

  it('say what each answer does', () => {
    expect(factsOf('review').consequences).toEqual([
      'Approving lets plan run.',
      'Rejecting fails ingest, and plan does not run for want of it.',
    ]);
    expect(factsOf('lock').consequences[1]).toBe('Rejecting cancels the run.');
    expect(factsOf('plan_review').kind).toBe('plan review');
    const kinds: readonly GateKind[] = ['approval', 'clarification', 'synthesis', 'replan', 'exhaustion', 'outcome'];
    for (const kind of kinds) expect(factsOf(kind).consequences.length).toBeGreaterThan(1);
  });

  it('list the steps behind the gate that write, with the target of their input', () => {
    const template = templateOf({
      capabilities: [work, { ...work, name: 'report.write', effects: ['output', 'read'] }],
      steps: [
        { name: 'ingest' },
        { name: 'check', after: ['ingest'], capability: 'work' },
        {
          name: 'publish',
          after: ['check'],
          capability: 'report.write',
          input: { path: 'reports/{{ run.id }}.md', title: 'All' },
        },
      ],
    });
    expect(factsOf('review', template).writes).toEqual([
      { step: 'publish', capability: 'report.write', effects: ['output'], target: 'reports/run-1.md' },
    ]);
    const done = [completed('publish')];
    expect(factsOf('review', template, done).writes).toEqual([]);
  });
});
