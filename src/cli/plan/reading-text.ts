// How a goal is read, as lines for people: its tasks in their order, who does each, and what is not clear.
import { counted } from '../../base/counted.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Task } from '../../planning/decompose/task.ts';
import type { Reading } from '../../runtime/pursuit.ts';
import { type Line, type Span, span } from '../../view/line.ts';
import { table } from '../../view/table.ts';

export function readingLines({ decomposition, planned }: Reading): readonly Line[] {
  const { tasks, confidence, notes, abstained } = decomposition;
  if (abstained !== undefined) return [[span('no tasks by the words alone: ', 'warn'), span(abstained)]];
  const steps = planned === undefined || planned.kind === 'none' ? [] : planned.steps;
  return [
    [span(`${counted(tasks.length, 'task')}, confidence ${confidence}`, 'strong')],
    ...table(
      [{ title: '', align: 'right' }, { title: 'kind' }, { title: 'by' }, { title: 'after' }, { title: 'task' }],
      tasks.map((task, index) => row(task, index, steps[index])),
    ),
    ...notes.map((note): Line => [span(`note: ${note}`, 'dim')]),
    ...(planned?.kind === 'questions'
      ? planned.questions.map(({ question }): Line => [span('asked first: ', 'warn'), span(question)])
      : []),
    ...(planned?.kind === 'none' ? [[span('no plan: ', 'bad'), span(planned.why)]] : []),
  ];
}

function row(
  { kind, after, description, attachments }: Task,
  index: number,
  step: JsonObject | undefined,
): readonly Span[] {
  const about = attachments.map((each) => `${each.kind} ${each.label ?? each.ref}`).join(', ');
  return [
    span(String(index + 1)),
    span(kind),
    span(doerOf(step)),
    span(after.map((each) => each + 1).join(', ')),
    span(`${description.replace(/\s+/g, ' ')}${about === '' ? '' : ` (${about})`}`),
  ];
}

function doerOf(step: JsonObject | undefined): string {
  if (step === undefined) return '';
  if (step.type === 'human_review') return 'a person';
  if (typeof step.capability === 'string') return step.capability;
  return typeof step.agent === 'string' ? `agent ${step.agent}` : 'to be said';
}
