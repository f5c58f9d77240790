// review: decides at a gate, and continues the run.
import type { Issue } from '../../base/issue.ts';
import type { DocumentTree } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { Given } from '../command.ts';
import { orderCommand } from '../drive/drive-order.ts';
import { readAnswer } from '../gate/answer-input.ts';
import { findGate } from '../gate/find-gate.ts';
import { readPlan } from '../plan/read-plan.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { UsageError } from '../usage-error.ts';

const verdicts = ['approve', 'reject', 'answer', 'edit'] as const;

export const command = orderCommand({
  arguments: [runArgument, { name: 'GATE', description: "The gate's id, as gates lists it." }],
  flags: [
    { name: '--approve', description: 'Yes, as it is.' },
    {
      name: '--for <what>',
      description:
        'With --approve, of a call: this call (unless said), every call of that capability by this step, or by any step of the run.',
      choices: ['call', 'step', 'capability'],
    },
    { name: '--reject [reason]', description: 'No, and why not.' },
    {
      name: '--answer <value>',
      description: 'What is asked for: key=value, JSON, @file.json, or plain words where the gate takes them.',
      repeats: true,
    },
    { name: '--edit <file>', description: 'This plan instead, in YAML or JSON; - reads standard input.' },
  ],
  examples: [
    { command: 'reconverge review latest g1 --approve', does: 'say yes, and go on with the run' },
    { command: 'reconverge review latest g1 --approve --for capability', does: 'say yes to all such calls of the run' },
    { command: 'reconverge review latest g1 --reject "the totals are wrong"', does: 'say no' },
    {
      command: 'reconverge review latest g1 --answer approved=yes --answer notes="fine by me"',
      does: 'answer in full',
    },
    {
      command: 'reconverge gates latest g1 --plan > plan.yaml && reconverge review latest g1 --edit plan.yaml',
      does: 'change the plan between the two',
    },
  ],
  async read(call, record, engine) {
    const { given } = call;
    const verdict = verdictOf(given);
    if (given.has('for') && verdict !== 'approve') throw new UsageError('--for goes with --approve');
    const found = findGate(engine, record, given.arguments[1] ?? '');
    if (!found.ok) return refuse(call, found.error);
    const { gate } = found.value;
    const order = { type: 'review', gate: given.arguments[1] ?? '', verdict } as const;
    switch (verdict) {
      case 'approve':
        return { order: { ...order, ...grantOf(given) } };
      case 'reject':
        return { order };
      case 'answer':
        return { order: { ...order, value: readAnswer(given.all('answer'), '--answer', gate.decision) } };
      case 'edit': {
        const plan = await readPlan(given.text('edit') ?? '');
        if (!plan.ok) return refuse(call, plan.error);
        const { value: tree } = plan;
        return { order: { ...order, value: tree.value }, place: (found) => placedIn(tree, found) };
      }
    }
  },
});

/** Only issues of the plan itself have a place in the plan's file. */
function placedIn(tree: DocumentTree, found: Issue): Issue {
  return found.code === 'PLAN_EDIT_INVALID' ? placeIssue(found, tree) : found;
}

function grantOf(given: Given): { readonly grant?: 'step' | 'capability' } {
  const scope = given.text('for');
  return scope === 'step' || scope === 'capability' ? { grant: scope } : {};
}

function verdictOf(given: Given): (typeof verdicts)[number] {
  const said = verdicts.filter((verdict) => given.has(verdict));
  const [only] = said;
  if (only !== undefined && said.length === 1) return only;
  const all = verdicts.map((verdict) => `--${verdict}`).join(', ');
  throw new UsageError(
    only === undefined
      ? `say what you decide: one of ${all}`
      : `${said.map((verdict) => `--${verdict}`).join(' and ')} contradict each other: say one of ${all}`,
  );
}
