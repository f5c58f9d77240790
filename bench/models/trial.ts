// Runs a planning task once against a real model, and tells what became of its plan.

import { agreed } from '../../scripts/test-llm/trial.ts';
import { good, type Result } from '../../src/base/result.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import type { RestStatus } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { capabilities, type ModelAddress, type PlanningTask } from './tasks.ts';

export interface PlanTrial {
  readonly task: string;
  readonly seed: number;
  /** `in part`: completed without its plan, or without some of its steps. */
  readonly status: RestStatus | 'in part';
  /** The code of the failure that ended the run, or of the plan. */
  readonly code?: string;
  /** `first`: the first reply of the model was grafted; `mended`: a later one was. */
  readonly plan: 'first' | 'mended' | 'none';
  readonly plannedSteps: number;
  readonly planCalls: number;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly seconds: number;
  readonly record: RunRecord;
}

/** The error is the reason why the template was refused. */
export async function tryPlan(
  task: PlanningTask,
  address: ModelAddress,
  folder: string,
): Promise<Result<PlanTrial, string>> {
  const engine = createEngine({ journal: openMemoryJournal(), capabilities, folder });
  try {
    const template = await engine.load(task.template(address));
    const started = template.ok ? await engine.start(template.value, { by: 'bench/models' }) : template;
    if (!started.ok)
      return { ok: false, error: started.error.map(({ code, message }) => `${code}: ${message}`).join('; ') };
    const { run, status, partial, spent, elapsed, failed } = await agreed(engine, await started.value.done);
    const read = engine.read(run);
    if (!read.ok) return { ok: false, error: 'the run cannot be read' };
    const code = failed[0]?.code;
    return good({
      task: task.name,
      seed: address.seed,
      status: status === 'completed' && partial ? 'in part' : status,
      ...(code === undefined ? {} : { code }),
      ...planIn(read.value),
      calls: spent.llm_calls ?? 0,
      tokensIn: spent.tokens_in ?? 0,
      tokensOut: spent.tokens_out ?? 0,
      seconds: elapsed,
      record: read.value,
    });
  } finally {
    await engine.close();
  }
}

function planIn({ events }: RunRecord): Pick<PlanTrial, 'plan' | 'plannedSteps' | 'planCalls'> {
  let [asked, before, steps] = [0, 0, 0];
  let isGrafted = false;
  for (const { event } of events) {
    if (event.type === 'call.started' && event.kind === 'model' && event.purpose === 'plan') asked += 1;
    if (event.type !== 'fragment.grafted') continue;
    if (!isGrafted) before = asked;
    isGrafted = true;
    steps += event.steps.length;
  }
  const plan = !isGrafted ? 'none' : before === 1 ? 'first' : 'mended';
  return { plan, plannedSteps: steps, planCalls: asked };
}
