// Builds the first events of a fork: the events of another run up to a point, with its template or one that differs only in steps that have not begun.
import { type Digest, digestOfText } from '../../base/digest.ts';
import { Fault, present } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { limitable, quantity } from '../../budget/amount.ts';
import { limitText } from '../../budget/limit-text.ts';
import { encode } from '../../engine/codec/event-codec.ts';
import { templateText } from '../../engine/codec/template-codec.ts';
import type { Command } from '../../engine/record/command.ts';
import type { Event, Recorded } from '../../engine/record/event.schema.ts';
import type { Blob } from '../../engine/record/stored-value.ts';
import { nextBatchEnd } from '../../engine/state/batch-ends.ts';
import { fold } from '../../engine/state/fold.ts';
import { RUN_ACCOUNT, type RunState, type Step } from '../../engine/state/state.ts';
import { planDiff } from '../../planning/plan-diff.ts';
import { newHolder } from '../../store/holder.ts';
import type { Journal } from '../../store/journal.ts';
import type { Lease } from '../../store/lease.ts';
import { digestOfTemplate } from '../../template/load.ts';
import type { Template } from '../../template/template.ts';
import type { ForkChanges, ForkPoint } from '../api/engine.ts';
import type { RunRecord } from '../api/run-record.ts';
import { LEASE_TIME } from '../drive/launch.ts';
import { streamStatus, streamSummary } from '../journal/stream-summary.ts';
import { narrowBudget } from '../load/narrow-budget.ts';

export interface ForkBeginning {
  readonly template: Template;
  readonly state: RunState;
  /** The last event is `run.forked`. */
  readonly events: readonly Recorded[];
  readonly blobs: readonly Blob[];
  /** The planning step that the given reply is for. */
  readonly asked?: Step;
}

export interface ForkIdentity {
  readonly id: string;
  readonly at: number;
  readonly by: string;
  readonly why?: string | undefined;
  /** The W3C trace context of the fork. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** Issues: FORK_POINT_UNKNOWN, FORK_MISMATCH, FORK_BUDGET_SPENT, MODEL_UNKNOWN, and those of budgets. */
export function beginningOf(
  record: RunRecord,
  point: ForkPoint,
  differences: ForkChanges,
  identity: ForkIdentity,
): Result<ForkBeginning> {
  const { at, by, why } = identity;
  const { reply } = differences;
  const last = lastOf(record, point, reply !== undefined);
  if (!last.ok) return last;
  const template = templateFor(record.template, differences);
  if (!template.ok) return template;
  const text = templateText(template.value);
  const digest = digestOfText(text);
  const before = record.events.slice(0, last.value).map((each) => renamed(each, identity, digest));
  const parent = fold(record.template, record.events.slice(0, last.value));
  const mismatch = mismatchOf(parent, last.value, template.value);
  if (mismatch.length > 0) return bad(mismatch);
  const changes = changeTexts(record, template.value, differences);
  const forked: Event = {
    type: 'run.forked',
    from: record.state.id,
    at: last.value,
    changes,
    by,
    ...defined({ why }),
  };
  const latest = present(before.at(-1), 'an event to fork at').at;
  const events = [...before, { version: last.value + 1, at: Math.max(at, latest), cause: 0, event: forked }];
  const folded = foldOver(template.value, events, last.value);
  if (!folded.ok) return folded;
  const state = folded.value;
  if (state.status === 'ended') {
    return bad([
      issue('FORK_POINT_UNKNOWN', `run ${record.state.id} had already ended by this event`, {
        hint: `choose an event before: reconverge show ${record.state.id} --events`,
      }),
    ]);
  }
  const spent = overspent(parent, state, last.value);
  if (spent.length > 0) return bad(spent);
  const asked = reply === undefined || !('step' in point) ? undefined : state.steps.get(point.step);
  return good({ template: template.value, state, events, blobs: [{ digest, text }], ...(asked && { asked }) });
}

/** Folds the events with the template of the fork. Fails when events mention steps that this template does not have. */
function foldOver(template: Template, events: readonly Recorded[], last: number): Result<RunState> {
  try {
    return good(fold(template, events));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return bad([
      issue('FORK_MISMATCH', `the events up to ${last} do not fit the other template`, {
        hint: 'fork earlier, or change only steps that had not begun',
      }),
    ]);
  }
}

/** The version of the last event that both runs share. With a reply, the planner of the step has been asked and has not answered. */
function lastOf({ state, events }: RunRecord, point: ForkPoint, isReply: boolean): Result<number> {
  const hint = `see its events: reconverge show ${state.id} --events`;
  if ('event' in point) {
    if (point.event >= 1 && point.event < events.length) return good(nextBatchEnd(events, point.event));
    const range = `run ${state.id} can be forked at its events 1 to ${events.length - 1}`;
    return bad([issue('FORK_POINT_UNKNOWN', `${range}, not at ${point.event}`, { hint })]);
  }
  const began = events.find(({ event }) => event.type === 'attempt.started' && event.step === point.step);
  if (began === undefined) {
    return bad([issue('FORK_POINT_UNKNOWN', `step "${point.step}" has not begun in run ${state.id}`, { hint })]);
  }
  if (isReply && state.steps.get(point.step)?.spec.type !== 'planning') {
    return bad([
      issue('FORK_POINT_UNKNOWN', `step "${point.step}" is not a planning step, so it takes no plan`, {
        hint: 'name a planning step, or leave the plan out',
      }),
    ]);
  }
  return good(isReply ? nextBatchEnd(events, began.version) : began.version - 1);
}

function renamed(recorded: Recorded, { id, traceparent, tracestate }: ForkIdentity, template: Digest): Recorded {
  const { event } = recorded;
  if (event.type !== 'run.started') return recorded;
  // A fork of a child run has no parent that waits for it, and every fork has a trace of its own.
  const { parent: _, traceparent: __, tracestate: ___, ...began } = event;
  return { ...recorded, event: { ...began, run: id, template, ...defined({ traceparent, tracestate }) } };
}

function templateFor(
  own: Template,
  { template = own, budget = {}, raise = false, models = {} }: ForkChanges,
): Result<Template> {
  const unknown = Object.keys(models).filter((name) => !Object.hasOwn(template.models, name));
  if (unknown.length > 0) {
    const known = Object.keys(template.models);
    return bad(
      unknown.map((name) =>
        issue('MODEL_UNKNOWN', `the template has no model profile "${name}"`, {
          hint:
            known.length === 0
              ? 'leave the model out: the template declares no models'
              : `choose from ${known.join(', ')}`,
        }),
      ),
    );
  }
  const replaced = Object.entries(template.models).map(([name, profile]) => {
    const model = models[name];
    return [name, model === undefined ? profile : { ...profile, model }] as const;
  });
  const changed = { ...template, models: Object.fromEntries(replaced) };
  const isSame = Object.keys(models).length === 0;
  return narrowBudget(isSame ? template : { ...changed, digest: digestOfTemplate(changed) }, budget, raise);
}

/** FORK_MISMATCH for each step that has begun and differs between the templates. */
function mismatchOf(parent: RunState, last: number, template: Template): readonly Issue[] {
  const authored = new Map(template.steps.map((spec) => [spec.name, spec]));
  return [...parent.steps.values()].flatMap(({ id, spec, status, provenance }) => {
    if (provenance !== undefined || status === 'waiting' || status === 'ready') return [];
    const other = authored.get(id);
    if (other === undefined && !parent.template.steps.some(({ name }) => name === id)) return [];
    if (other !== undefined && planDiff([spec], [other]).changed.length === 0) return [];
    const what = other === undefined ? 'is not in the other template' : 'is another one in the other template';
    return [
      issue('FORK_MISMATCH', `step "${id}" has begun by event ${last}, and ${what}`, {
        hint: 'fork before it began, or change only steps that had not begun',
      }),
    ];
  });
}

/** FORK_BUDGET_SPENT for each limit that the fork has already exceeded, unless the other run had exceeded it too. */
function overspent(parent: RunState, { ledger }: RunState, last: number): readonly Issue[] {
  const account = ledger.accounts.get(RUN_ACCOUNT);
  if (account === undefined || parent.ledger.accounts.get(RUN_ACCOUNT)?.overdrawn) return [];
  return limitable.flatMap((of) => {
    const limit = account.limit[of];
    const used = quantity(account.spent, of) + quantity(account.reserved, of);
    if (limit === undefined || used <= limit) return [];
    const [taken, allowed] = [limitText(of, used), limitText(of, limit)];
    return [
      issue('FORK_BUDGET_SPENT', `${of}: ${taken} used by event ${last}, but only ${allowed} allowed`, {
        path: ['budget'],
        hint: 'fork earlier, or allow more',
      }),
    ];
  });
}

function changeTexts(
  { template }: RunRecord,
  next: Template,
  { budget = {}, models = {}, reply, template: other }: ForkChanges,
): readonly string[] {
  return [
    ...(other === undefined || other.digest === template.digest ? [] : [`template ${next.name}`]),
    ...Object.entries(budget).map(([key, value]) => `${key} ${value}`),
    ...Object.entries(models).map(([name, model]) => `model ${name} ${model}`),
    ...(reply === undefined ? [] : ['another plan']),
  ];
}

/** Writes the events to a new stream and returns its lease. */
export async function keepBeginning(
  journal: Journal,
  { template, state, events, blobs }: ForkBeginning,
  id: string,
  at: Instant,
): Promise<Lease> {
  const lease = await journal.create({ id, title: template.name, createdAt: at }, newHolder(), LEASE_TIME);
  await journal.append({
    stream: id,
    expected: 0,
    epoch: lease.epoch,
    entries: events.map(encode),
    blobs,
    status: streamStatus(state),
    summary: streamSummary(state),
  });
  return lease;
}

/** Attempts under way are handed out again, except the planner call that the given reply answers. */
export function firstOrders(
  { state, asked }: ForkBeginning,
  { reply = null }: ForkChanges,
  at: Instant,
  by: string,
): readonly Command[] {
  return [
    ...(asked === undefined ? [] : [replyTo(asked, reply, at)]),
    { type: 'attach', at, by },
    { type: 'expire', at },
    ...(state.status === 'paused' ? [{ type: 'resume', at, by } as const] : []),
  ];
}

/** Settles the planning step with the given reply. */
function replyTo({ id, attempt, delivery }: Step, reply: Json, at: Instant): Command {
  const outcome = { ...good(reply), bill: {} } as const;
  return { type: 'settle', at, step: id, attempt, delivery, input: null, outcome, chance: 0 };
}
