// Shows how a goal was read: its tasks in order, the capability for each task, and the unclear parts.
import { counted } from '../../base/counted.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Task } from '../../goals/split/task.ts';
import { type PatternChoice, phaseNames } from '../../goals/split/work-pattern.ts';
import type { PursuitPreview } from '../../runtime/api/pursuit.ts';
import { type Line, type Span, span } from '../../view/line.ts';
import { table } from '../../view/table.ts';

export function readingLines({ decomposition, planned, phased }: PursuitPreview): readonly Line[] {
  if (phased !== undefined) return phaseLines(phased);
  const { tasks, confidence, notes, abstained } = decomposition;
  if (abstained !== undefined) return [[span('no tasks by the words alone: ', 'warn'), span(abstained)]];
  const plan = planned === undefined || planned.kind === 'none' ? undefined : planned;
  const { steps = [], intents = [], findings = [], issues = [] } = plan ?? {};
  const doer = (index: number): string => doerOf(steps.find(({ name }) => name === intents[index]?.steps[0]));
  return [
    [span(`${counted(tasks.length, 'task')}, confidence ${confidence}`, 'strong')],
    ...table(
      [{ title: '', align: 'right' }, { title: 'kind' }, { title: 'by' }, { title: 'after' }, { title: 'task' }],
      tasks.map((task, index) => row(task, index, doer(index))),
    ),
    ...[...notes, ...findings].map((note): Line => [span(`note: ${note}`, 'dim')]),
    ...issues.map(
      ({ severity, code, message }): Line => [
        span(`${severity} ${code}: `, severity === 'error' ? 'bad' : 'warn'),
        span(message),
      ],
    ),
    ...(planned?.kind === 'questions'
      ? planned.questions.map(({ question }): Line => [span('asked first: ', 'warn'), span(question)])
      : []),
    ...(planned?.kind === 'none' ? [[span('no plan: ', 'bad'), span(planned.why)]] : []),
  ];
}

function phaseLines({ pattern, why, phases }: PatternChoice): readonly Line[] {
  return [
    [
      span(`${counted(phases.length, 'phase')}, each planned when it is due`, 'strong'),
      span(`: ${pattern.replaceAll('_', ' ')}, ${why}`),
    ],
    ...table(
      [{ title: '', align: 'right' }, { title: 'phase' }, { title: 'goal' }],
      phases.map((goal, index) => [span(String(index + 1)), span(phaseNames[pattern][index] ?? ''), span(goal)]),
    ),
  ];
}

function row({ kind, after, description, attachments }: Task, index: number, doer: string): readonly Span[] {
  const about = attachments.map((each) => `${each.kind} ${each.label ?? each.ref}`).join(', ');
  return [
    span(String(index + 1)),
    span(kind),
    span(doer),
    span(after.map((each) => each + 1).join(', ')),
    span(`${description.replace(/\s+/g, ' ')}${about === '' ? '' : ` (${about})`}`),
  ];
}

function doerOf(step: JsonObject | undefined): string {
  if (step === undefined) return '';
  if (step.type === 'human_review') return 'a person';
  if (step.type === 'planning') return 'planned when it is due';
  if (isJsonObject(step.do)) return `${doerOf(step.do)} for each`;
  if (typeof step.capability === 'string') return step.capability;
  return typeof step.agent === 'string' ? `agent ${step.agent}` : 'to be said';
}
