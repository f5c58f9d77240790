// Random people: they approve, reject, answer, edit, err or never answer; the same question gets the same answer.
import type { GateKind, Verdict } from '../../src/engine/record/gate-events.schema.ts';
import type { Gate } from '../../src/engine/state/state.ts';
import type { GateAnswer, WorldOptions } from '../../src/testing/world.ts';
import { dice } from './dice.ts';

type Reviewer = NonNullable<WorldOptions['review']>;

/** People who never raise a budget: about an exhausted account they answer converge, and sometimes abort. */
export function frugal(seed: number): Reviewer {
  return (gate, refused) =>
    isAway(seed, gate)
      ? undefined
      : gate.kind === 'exhaustion'
        ? { verdict: dice(seed, 'frugal', gate.id) < 0.8 ? 'approve' : 'reject' }
        : decide(seed, gate, refused);
}

/** People who answer every question at random; after two refused answers about an account they answer converge. */
export function generous(seed: number): Reviewer {
  return (gate, refused) => (gate.kind === 'exhaustion' ? spend(seed, gate, refused) : decide(seed, gate, refused));
}

function spend(seed: number, { id, exhaustion }: Gate, refused: number): GateAnswer {
  const mood = Math.floor(dice(seed, 'generous', id, refused) * 8);
  const raised = (exhaustion?.limit ?? 0) + Math.floor(dice(seed, 'raised', id) * 12);
  if (refused > 1 || mood === 0) return { verdict: 'approve' };
  if (mood === 1) return { verdict: 'reject', why: 'enough' };
  if (mood === 2) return { verdict: 'edit', value: { steps: [] } };
  if (mood < 5) return { verdict: 'answer', value: { answer: 'replan' } };
  const limit = exhaustion?.resource === 'time' ? `${raised * 2}ms` : raised;
  return { verdict: 'answer', value: { answer: 'raise', limit } };
}

function isAway(seed: number, { step, kind }: Gate): boolean {
  return kind !== 'exhaustion' && dice(seed, 'away', step, kind) < 0.15;
}

function decide(seed: number, { step, kind }: Gate, refused: number): GateAnswer {
  const errs = refused < 3 && dice(seed, 'errs', step, kind, refused) < 0.3;
  if (errs) return { verdict: oneOf(wrong, dice(seed, 'wrong', step, refused)), value: { approved: 'perhaps' } };
  const mood = dice(seed, 'answer', step, kind);
  // An edited plan may never be accepted.
  return mood < 0.2 || refused > 5 ? { verdict: 'reject', why: 'no' } : oneOf(right[kind], mood);
}

const wrong: readonly Verdict[] = ['answer', 'edit', 'approve', 'reject'];
const approve: GateAnswer = { verdict: 'approve' };
const edit = (...names: string[]): GateAnswer => ({
  verdict: 'edit',
  value: { steps: names.map((name) => ({ name, capability: 'work' })) },
});

const right: Readonly<Record<GateKind, readonly GateAnswer[]>> = {
  review: [approve, { verdict: 'answer', value: { approved: false } }],
  clarification: [{ verdict: 'answer', value: 7 }],
  approval: [approve],
  plan_review: [approve, approve, edit('mine', 'too'), edit()],
  replan: [approve],
  exhaustion: [approve],
  synthesis: [approve],
  llm_prompt: [approve],
  outcome: [approve, { verdict: 'answer', value: 7 }],
  lock: [approve],
  child: [approve],
};

function oneOf<T>(of: readonly T[], luck: number): T {
  const found = of[Math.floor(luck * 997) % of.length];
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
}
