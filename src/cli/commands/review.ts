// review: decides at a gate, and continues the run.
import type { Issue } from '../../base/issue.ts';
import type { DocumentTree } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { ParsedArguments } from '../command.ts';
import { orderCommand } from '../drive/drive-order.ts';
import { readAnswer } from '../gate/answer-input.ts';
import { findGate } from '../gate/find-gate.ts';
import { readPlan } from '../plan/read-plan.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { UsageError } from '../usage-error.ts';

const verdicts = ['approve', 'reject', 'answer', 'edit'] as const;

export const command = orderCommand({
  arguments: [runArgument, { name: 'GATE', description: "The gate's id, from the list of gates." }],
  flags: [
    { name: '--approve', description: 'Approve.' },
    {
      name: '--for <what>',
      description:
        'With --approve of a call: approve this call (the default), all calls of this capability by this step, or by all steps of the run.',
      choices: ['call', 'step', 'capability'],
    },
    { name: '--reject [reason]', description: 'Reject, with a reason.' },
    {
      name: '--answer <value>',
      description: 'Answer: key=value, JSON, @file.json, or plain words if the gate asks for a text.',
      repeats: true,
    },
    { name: '--edit <file>', description: 'Replace the plan by this one, in YAML or JSON; - reads standard input.' },
  ],
  examples: [
    { command: 'reconverge review latest g1 --approve', does: 'approve, and continue the run' },
    { command: 'reconverge review latest g1 --approve --for capability', does: 'approve all such calls of the run' },
    { command: 'reconverge review latest g1 --reject "the totals are wrong"', does: 'reject with a reason' },
    {
      command: 'reconverge review latest g1 --answer approved=yes --answer notes="fine by me"',
      does: 'answer all questions of a gate',
    },
    {
      command: 'reconverge gates latest g1 --plan > plan.yaml && reconverge review latest g1 --edit plan.yaml',
      does: 'edit the plan before it is grafted',
    },
  ],
  async read(call, record, engine) {
    const { given } = call;
    const verdict = verdictOf(given);
    if (given.has('for') && verdict !== 'approve') throw new UsageError('--for needs --approve');
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

function grantOf(given: ParsedArguments): { readonly grant?: 'step' | 'capability' } {
  const scope = given.text('for');
  return scope === 'step' || scope === 'capability' ? { grant: scope } : {};
}

function verdictOf(given: ParsedArguments): (typeof verdicts)[number] {
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
