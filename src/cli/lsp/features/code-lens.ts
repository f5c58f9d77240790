// Code lenses: the most that a run may use, above the template and above each planning step.
import type { CodeLens } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { counted } from '../../../base/counted.ts';
import { limitText } from '../../../budget/limit-text.ts';
import { boundOf } from '../../../engine/bound/bound.ts';
import { worstCase } from '../../../engine/bound/failure-assumption.ts';
import { knownPlan } from '../../../engine/bound/known-plans.ts';
import { entryOf, type Span } from '../../../template/parse/outline.ts';
import type { StepSpec } from '../../../template/step-spec.ts';
import type { Template } from '../../../template/template.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { rangeOfSpan } from '../positions.ts';
import { textOf } from './document-symbols.ts';

interface Bounds {
  readonly whole: string;
  readonly steps: ReadonlyMap<string, string>;
}

/** The last bounds of each text: lines would jump if the lenses vanished at each mistake. */
const lastBounds = new WeakMap<TextDocument, Bounds>();

export function codeLenses(document: AnalyzedDocument): readonly CodeLens[] {
  const { analysis, text, outline } = document;
  const template = analysis?.template;
  const bounds = template === undefined ? lastBounds.get(text) : boundsOf(template);
  if (bounds === undefined || outline.root.kind !== 'map') return [];
  lastBounds.set(text, bounds);
  const stale = template === undefined ? ' (before the errors)' : '';
  const lens = (span: Span, title: string): CodeLens => ({
    range: rangeOfSpan(text, span),
    command: { title: `${title}${stale}`, command: '' },
  });
  const first = entryOf(outline.root, 'reconverge') ?? outline.root.entries[0];
  const steps = entryOf(outline.root, 'steps')?.value;
  return [
    ...(first === undefined ? [] : [lens(first.keySpan, bounds.whole)]),
    ...(steps?.kind === 'list' ? steps.items : []).flatMap((step) => {
      const title = bounds.steps.get(textOf(step, 'name') ?? '');
      const at = step.kind === 'map' ? step.entries[0]?.keySpan : undefined;
      return title === undefined || at === undefined ? [] : [lens(at, title)];
    }),
  ];
}

function boundsOf(template: Template): Bounds {
  const planners = template.steps.filter(({ planning }) => planning !== undefined);
  return {
    whole: wholeText(template),
    steps: new Map(planners.map((step) => [step.name, plannerText(step, template)])),
  };
}

/** `at most 66 steps, 30 model calls, $5.00, 10m` */
function wholeText(template: Template): string {
  const bounds = new Map(boundOf(template).map(({ resource, bound }) => [resource, bound]));
  const [steps, calls = 0] = [bounds.get('steps'), bounds.get('llm_calls')];
  const limits = ['cost_usd', 'time'].flatMap((resource) => {
    const bound = bounds.get(resource) ?? 0;
    return bound === 0 ? [] : [limitText(resource, bound)];
  });
  const parts = [
    ...(steps === undefined ? ['any number of steps'] : [`at most ${counted(steps, 'step')}`]),
    ...(calls === 0 ? [] : [counted(calls, 'model call')]),
  ];
  return [...parts, ...limits].join(', ');
}

/** `plans 3 steps` if the plan is written in the template; else `plans at most 20 steps, $1.00` */
function plannerText(step: StepSpec, template: Template): string {
  const { budget } = step;
  const known = knownPlan(template, step, worstCase);
  if (known !== undefined) return `plans ${counted(known.length, 'step')}`;
  const most = budget?.fragmentSteps ?? template.budget.fragmentSteps;
  const money = budget?.limit.cost_usd;
  return `plans at most ${[counted(most, 'step'), ...(money === undefined ? [] : [limitText('cost_usd', money)])].join(', ')}`;
}
