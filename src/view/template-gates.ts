// Lists the gates that runs of a template can open, with their conditions and expiries.
import { defined } from '../base/json.ts';
import { durationText } from '../base/quantity.ts';
import { approvalFor, joined, onlyWith } from '../contract/effects-policy.ts';
import { isGranted } from '../contract/grant.ts';
import { mostPromptApprovals } from '../engine/bound/most-model-use.ts';
import type { GateKind } from '../engine/record/gate-events.schema.ts';
import type { ApprovalSpec, GateSpec, StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { expiryText } from './expiry-text.ts';
import { type Line, span } from './line.ts';
import { table } from './table.ts';

/** More names of capabilities are only counted. */
const SHOWN = 4;

export interface TemplateGate {
  readonly step: string;
  readonly kind: GateKind;
  /** `always`, or the condition. */
  readonly when: string;
  /** The prompt as written, with unresolved references. */
  readonly prompt?: string;
  /** `24h, then the step fails`; absent: the gate waits forever. */
  readonly waits?: string;
}

export function templateGates(template: Template): readonly TemplateGate[] {
  const { steps, repair } = template;
  const all = repair === undefined ? steps : [...steps, repair];
  return all.flatMap((spec) => [
    ...gatesOf(spec, spec.name, template),
    ...prompts(spec, spec.name, template),
    ...plannedCalls(spec.name, spec.planning, template),
  ]);
}

/** Gates before sensitive prompts. Only a run knows whether a prompt is sensitive. */
function prompts({ agent, judge, planning, fanOut }: StepSpec, step: string, template: Template): TemplateGate[] {
  if (mostPromptApprovals(template) === 0) return [];
  const inside = fanOut === undefined ? [] : prompts(fanOut.do, `${step}/…`, template);
  if (agent === undefined && judge === undefined && planning === undefined) return inside;
  const when = 'before a model is shown what a contract calls sensitive';
  return [{ step: planning === undefined ? step : `${step}.…`, kind: 'llm_prompt', when }, ...inside];
}

/** The calls of plans that need approval. */
function plannedCalls(
  step: string,
  planning: StepSpec['planning'],
  { capabilities, effects }: Template,
): readonly TemplateGate[] {
  if (planning === undefined) return [];
  const asked = Object.values(capabilities)
    .filter((each) => approvalFor(each, effects, 'grafted').verdict === 'ask')
    .map(({ name }) => name)
    .filter((name) => isGranted(name, planning.allow, planning.deny));
  if (asked.length === 0) return [];
  const shown = asked.slice(0, SHOWN).join(', ');
  const more = asked.length > SHOWN ? ` and ${asked.length - SHOWN} more` : '';
  return [{ step: `${step}.…`, kind: 'approval', when: `when its plan calls ${shown}${more}` }];
}

function gatesOf(spec: StepSpec, step: string, template: Template): TemplateGate[] {
  const { gate, approval, planning, convergence, fanOut } = spec;
  return [
    ...(gate === undefined ? [] : [written(step, 'review', 'always', gate)]),
    ...(approval === undefined
      ? []
      : [written(step, 'approval', approval.when === undefined ? 'always' : 'when its condition holds', approval)]),
    ...eachCall(spec, step, template),
    ...(planning === undefined ? [] : planGates(step, planning)),
    ...(convergence?.onExhaustion === 'ask'
      ? [{ step, kind: 'exhaustion', when: 'the budget is used up before' } as const]
      : []),
    ...(fanOut === undefined ? [] : gatesOf(fanOut.do, `${step}/…`, template)),
  ];
}

/** An authored step whose call may destroy something. */
function eachCall(spec: StepSpec, step: string, { capabilities, effects }: Template): readonly TemplateGate[] {
  const { capability = '', approval, approved } = spec;
  const called = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
  if (called === undefined || approval !== undefined || approved) return [];
  const policy = joined(effects, onlyWith(spec.effects));
  if (approvalFor(called, policy, 'authored').verdict !== 'ask') return [];
  return [{ step, kind: 'approval', when: `always: ${capability} may delete or overwrite something` }];
}

function planGates(step: string, { review, replan }: StepSpec['planning'] & object): TemplateGate[] {
  const found: TemplateGate[] = [];
  if (review !== undefined) {
    found.push({ step, kind: 'plan_review', when: review === 'always' ? 'always' : 'when its condition holds' });
  }
  if (replan?.approval === 'always') found.push({ step, kind: 'replan', when: 'before each repair' });
  if (replan?.approval === 'on_budget') {
    found.push({ step, kind: 'replan', when: 'before a repair, when little of the budget is left' });
  }
  if (replan?.afterLast === 'ask') found.push({ step, kind: 'replan', when: 'after the last repair' });
  return found;
}

function written(step: string, kind: GateKind, when: string, spec: GateSpec | ApprovalSpec): TemplateGate {
  const { prompt, expiresIn, onExpiry } = spec;
  const waits = defined({
    waits: expiresIn === undefined ? undefined : `${durationText(expiresIn)}, then ${expiryText[onExpiry]}`,
  });
  return { step, kind, when, ...defined({ prompt }), ...waits };
}

export function templateGatesText(gates: readonly TemplateGate[]): readonly Line[] {
  return table(
    [{ title: 'step' }, { title: 'gate' }, { title: 'asked' }, { title: 'waits' }, { title: '' }],
    gates.map(({ step, kind, when, waits = 'for ever', prompt = '' }) => [
      span(step),
      span(kind, 'warn'),
      span(when),
      span(waits),
      span(prompt, 'dim'),
    ]),
  );
}
