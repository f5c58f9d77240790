// plan review: checks a plan against a planning step of a template, without running anything.
import { counted } from '../../base/counted.ts';
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { limitable, quantity } from '../../budget/amount.ts';
import { shownAmount, shownFigures } from '../../budget/display-figures.ts';
import { limitText } from '../../budget/limit-text.ts';
import { frameBeforeRun } from '../../engine/packet/frame-before-run.ts';
import type { Fragment } from '../../planning/fragment.ts';
import type { Frame } from '../../planning/frame.ts';
import { readFragment } from '../../planning/read-fragment.ts';
import type { Verdict } from '../../planning/review.ts';
import { review, reviewUnread } from '../../planning/review.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import { missionTemplate } from '../../template/mission.ts';
import type { Template } from '../../template/template.ts';
import { type Line, span } from '../../view/line.ts';
import { table } from '../../view/table.ts';
import type { PlanReviewAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, loadTemplate } from '../load-template.ts';
import { frameGiven, missionFlags } from '../plan/plan-frame.ts';
import { type PlanInput, readAnyPlan } from '../plan/read-plan.ts';
import { hintAsCalled, refuse, sayIssues } from '../refuse.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    {
      name: 'FILE',
      description: 'The plan in YAML, JSON or calls in Python, or the answer of a model; - reads standard input.',
    },
  ],
  flags: [
    {
      name: '--template <file>',
      description: 'The template; by default the frame of plan run.',
    },
    { name: '--at <step>', description: 'The planning step; optional if there is only one.' },
    environmentFlag,
    ...missionFlags,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge plan review plan.json --template templates/recon-then-execute.yaml --at plan_recon',
      does: 'review a plan for a planning step',
    },
    {
      command: 'reconverge plan review plan.json --mission "Count the words"',
      does: 'review a plan for plan run',
    },
  ],

  async run(call) {
    const { given } = call;
    const [file = ''] = given.arguments;
    const read = await readAnyPlan(file);
    if (!read.ok) return refuse(call, read.error);
    const template = await templateFor(given);
    if (!template.ok) return refuse(call, template.error);
    const frame = frameFor(given, template.value);
    if (!frame.ok) return refuse(call, frame.error);
    const judged = judge(read.value, frame.value);
    if (given.has('json')) call.terminal.json(asJson(call, template.value, frame.value, judged));
    else tell(call, frame.value, judged);
    return isAccepted(judged) ? exitCodes.done : exitCodes.issues;
  },
};

/** Issues carry their places in the file. */
interface PlanJudgment {
  readonly issues: readonly Issue[];
  readonly fragment?: Fragment;
  readonly verdict?: Verdict;
}

async function templateFor(given: ParsedArguments): Promise<Result<Template>> {
  const file = given.text('template');
  if (file !== undefined) return loadTemplate(given, file);
  const mission = given.text('mission');
  const planner = { kind: 'fixed', fragment: { steps: [] } };
  const sketch = { planner, frame: frameGiven(given), ...defined({ goal: mission }) };
  const { createEngine } = await import('../../runtime/create-engine.ts');
  const { openMemoryJournal } = await import('../../store/memory-journal.ts');
  const engine = createEngine({ journal: openMemoryJournal() });
  return engine.load(missionTemplate(sketch)).finally(() => engine.close());
}

function frameFor(given: ParsedArguments, template: Template): Result<Frame> {
  const planning = template.steps.filter(({ type }) => type === 'planning').map(({ name }) => name);
  const [only, another] = planning;
  const at = given.text('at') ?? (another === undefined ? only : undefined);
  if (at === undefined && only !== undefined)
    throw new UsageError(`name the planning step with --at: ${planning.join(', ')}`);
  const frame = at === undefined ? undefined : frameBeforeRun(template, at);
  if (frame !== undefined) return good(withMission(frame, given));
  const hint = didYouMean(at ?? '', planning) ?? (only === undefined ? undefined : `they are ${planning.join(', ')}`);
  const message = at === undefined ? 'the template has no planning step' : `the template has no planning step "${at}"`;
  return bad([issue('PLANNING_STEP_UNKNOWN', message, { hint })]);
}

/** A mission in the call's flags replaces the template's own goal. */
function withMission(frame: Frame, given: ParsedArguments): Frame {
  const goal = given.text('mission');
  return goal === undefined ? frame : { ...frame, goal };
}

function judge({ plan, place, understood }: PlanInput, frame: Frame): PlanJudgment {
  const read = readFragment(plan, frame.declarations, frame.stepTimeout);
  if (!read.ok) return { issues: reviewUnread(read.error, frame).map(place) };
  if (!('steps' in read.value)) return { issues: [issue('FRAGMENT_UNREADABLE', whyNoPlan(read.value))] };
  const fragment = { ...read.value, understood: [...understood, ...read.value.understood] };
  const verdict = review(fragment, frame);
  const { critique } = verdict;
  return {
    issues: [...read.warnings, ...verdict.issues].map(place),
    fragment,
    verdict:
      critique === undefined
        ? verdict
        : { ...verdict, critique: { ...critique, findings: critique.findings.map(place) } },
  };
}

function whyNoPlan(said: { readonly impossible: string } | { readonly asks: Json }): string {
  return 'impossible' in said ? 'it says that the goal is impossible' : 'it asks a question in place of a plan';
}

function isAccepted({ issues, verdict }: PlanJudgment): boolean {
  return verdict?.accepted === true && !hasErrors(issues);
}

function asJson({ given }: Call, template: Template, frame: Frame, judged: PlanJudgment): PlanReviewAnswer {
  const { fragment, verdict, issues } = judged;
  const told = (found: readonly Issue[]) => issuesToJson(found.map((each) => hintAsCalled(given, each)));
  const critique = verdict?.critique;
  return {
    file: given.arguments[0] ?? '',
    template: given.text('template') ?? template.name,
    at: frame.planner,
    accepted: isAccepted(judged),
    understood: fragment?.understood ?? [],
    issues: told(issues),
    ...defined({ rationale: fragment?.rationale, steps: fragment?.steps.map(({ name }) => name) }),
    ...(critique === undefined
      ? {}
      : {
          critic: {
            score: critique.score,
            findings: told(critique.findings),
            recommendations: critique.recommendations,
          },
        }),
    ...(verdict === undefined
      ? {}
      : { estimate: shownAmount(verdict.estimate), available: shownFigures(frame.available) }),
  };
}

function tell({ given, terminal }: Call, frame: Frame, judged: PlanJudgment): void {
  const { fragment, verdict, issues } = judged;
  const others = (verdict?.critique?.findings ?? []).filter(
    ({ code, path }) => !issues.some((each) => each.code === code && each.path.join() === path.join()),
  );
  sayIssues(given, [...issues, ...others]);
  const word = isAccepted(judged) ? span('accepted', 'good') : span('rejected', 'bad');
  const score = verdict?.critique === undefined ? '' : `, the critic gives it ${verdict.critique.score} of 10`;
  const steps = fragment === undefined ? '' : ` (${counted(fragment.steps.length, 'step')}${score})`;
  terminal.print([
    [span(`${given.arguments[0]} at ${frame.planner}: `), word, span(steps)],
    ...(fragment?.understood ?? []).map((note) => [span(`understood: ${note}`, 'dim')]),
    ...(verdict === undefined ? [] : estimateLines(verdict, frame)),
  ]);
}

function estimateLines({ estimate }: Verdict, { available }: Frame): readonly Line[] {
  const used = limitable.filter((limited) => quantity(estimate, limited) > 0);
  if (used.length === 0) return [];
  return table(
    [{ title: 'it may use' }, { title: 'at most', align: 'right' }, { title: 'of what is left', align: 'right' }],
    used.map((limited) => {
      const left = available[limited];
      return [
        span(limited),
        span(limitText(limited, quantity(estimate, limited))),
        span(left === undefined ? 'not limited' : limitText(limited, left)),
      ];
    }),
  );
}
