// Whether a run of a template may ask models, and let agents call tools: nobody knows how often, so that only the budget bounds it.
import type { StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';

export interface ModelsAsked {
  readonly models: boolean;
  /** Some model has a price that is not nothing. */
  readonly paid: boolean;
  /** An agent may call capabilities. */
  readonly tools: boolean;
}

export function modelsAsked({ steps, repair, models, agents }: Template): ModelsAsked {
  const all = [...steps, ...(repair === undefined ? [] : [repair])].flatMap(withInner);
  // A fragment may bring agents of its own.
  const grown = Object.keys(models).length > 0 && all.some(({ planning }) => planning !== undefined);
  const own = all.flatMap(({ agent }) => (agent === undefined ? [] : [agent.own ?? agents[agent.name]]));
  const asks = grown || all.some(asksModel);
  return {
    models: asks,
    paid: asks && Object.values(models).some(({ price }) => price !== undefined && price.input + price.output > 0),
    tools: grown || own.some((agent) => agent !== undefined && agent.tools.length > 0),
  };
}

function withInner(step: StepSpec): readonly StepSpec[] {
  return step.fanOut === undefined ? [step] : [step, step.fanOut.do];
}

function asksModel({ agent, judge, planning }: StepSpec): boolean {
  const kind = planning?.planner?.kind;
  return agent !== undefined || judge !== undefined || kind === 'llm' || kind === 'hybrid';
}
