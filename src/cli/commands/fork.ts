// fork: starts a new run that shares a run's history up to a point and continues differently.
import { defined } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Engine, ForkChanges, ForkPoint } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { type History, record } from '../../view/history.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
import { drive, driveFlags, handleOf } from '../drive/drive.ts';
import { allExits } from '../exit-codes.ts';
import { findStep } from '../find-step.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag } from '../load-template.ts';
import { withRuns } from '../open-engine.ts';
import { readPlan } from '../plan/read-plan.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { readBudget } from '../run-input.ts';
import { storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [runArgument],
  flags: [
    {
      name: '--at <event>',
      description: 'The last event that both runs share, by its number; or a step: the new run starts just before it.',
    },
    { name: '--budget <key=value>', description: "Tighten a limit of the run's budget.", repeats: true },
    { name: '--raise', description: 'Allow --budget to loosen limits too.' },
    {
      name: '--template <file>',
      description: 'Use this template from there on; started steps must be the same in it.',
    },
    environmentFlag,
    { name: '--model <profile=model>', description: 'Use another model for this profile.', repeats: true },
    { name: '--plan <file>', description: 'Use this plan as the answer of the planning step named by --at.' },
    { name: '--why <text>', description: 'The reason, kept with the run.' },
    storeFlag,
    ...driveFlags,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge fork latest --at plan_reading --budget max_total_steps=12',
      does: 'plan again from there, with a smaller budget',
    },
    {
      command: 'reconverge fork latest --at plan_reading --plan my-plan.yaml',
      does: 'continue with your own plan',
    },
  ],
  exits: allExits,
  run: (call) =>
    withRuns(call, async (engine) => {
      const { given } = call;
      const before = engine.read(given.arguments[0] ?? '');
      if (!before.ok) return refuse(call, before.error);
      const point = pointOf(given, before.value);
      if (!point.ok) return refuse(call, point.error);
      const differences = await differencesOf(call, engine, point.value);
      if (!differences.ok) return refuse(call, differences.error);
      const why = given.text('why');
      const reason = defined({ why });
      const history: History = new Map();
      return drive(call, engine, history, async (options) => {
        const { id } = before.value.state;
        const forked = await engine.fork(id, point.value, { ...options, ...reason, ...differences.value });
        const begun = forked.ok ? engine.read(forked.value.id) : forked;
        if (begun.ok) for (const each of begun.value.events) record(history, each);
        return handleOf(forked);
      });
    }),
};

function pointOf(given: ParsedArguments, { state }: RunRecord): Result<ForkPoint> {
  const at = given.text('at');
  if (at === undefined) throw new UsageError('name an event number or a step with --at');
  if (/^\d+$/.test(at)) return good({ event: Number(at) });
  const step = findStep(state, at);
  return step.ok ? good({ step: step.value.id }) : step;
}

async function differencesOf({ given }: Call, engine: Engine, point: ForkPoint): Promise<Result<ForkChanges>> {
  const file = given.text('template');
  const template = file === undefined ? undefined : await engine.load(file, { environment: given.text('environment') });
  if (template !== undefined && !template.ok) return template;
  const plan = given.text('plan');
  if (plan !== undefined && !('step' in point)) throw new UsageError('--plan needs --at with a planning step');
  const read = plan === undefined ? undefined : await readPlan(plan, '--plan ');
  if (read !== undefined && !read.ok) return bad(read.error);
  return good({
    template: template?.value,
    budget: readBudget(given.all('budget')),
    raise: given.has('raise'),
    models: modelsIn(given.all('model')),
    ...defined({ reply: read === undefined ? undefined : read.value.value }),
  });
}

function modelsIn(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, profile, model] = /^([^=]+)=(.+)$/.exec(word) ?? [];
      if (profile === undefined || model === undefined) {
        throw new UsageError(`--model ${word}: write it as profile=model`);
      }
      return [profile, model] as const;
    }),
  );
}
