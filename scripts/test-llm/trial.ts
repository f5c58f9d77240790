// Runs a template against a real model from start to end, and approves every gate.
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { RestStatus, RunReport } from '../../src/runtime/api/run-report.ts';
import type { Template } from '../../src/template/template.ts';
import { type Rates, ratesOf } from './rates.ts';

export interface Trial {
  readonly template: string;
  readonly run?: string;
  readonly status: RestStatus | 'refused';
  /** The reason for an incomplete run. */
  readonly why?: string;
  readonly calls: number;
  readonly microDollars: number;
  readonly rates?: Rates;
}

export async function tryTemplate(
  engine: Engine,
  template: Template,
  input: Readonly<Record<string, string>>,
): Promise<Trial> {
  const { name } = template;
  const started = await engine.start(template, { input, by: 'test:llm' });
  if (!started.ok) {
    const why = started.error.map(({ code, message }) => `${code}: ${message}`).join('; ');
    return { template: name, status: 'refused', why, calls: 0, microDollars: 0 };
  }
  const report = await agreed(engine, await started.value.done);
  const record = engine.read(report.run);
  const { failure, gates: [gate] = [], spent } = report;
  const why = failure === undefined ? gate && `nobody answers ${gate.prompt}` : `${failure.code}: ${failure.message}`;
  return {
    template: name,
    run: report.run,
    status: report.status,
    ...(why === undefined ? {} : { why }),
    calls: spent.llm_calls ?? 0,
    microDollars: spent.cost_usd ?? 0,
    ...(record.ok ? { rates: ratesOf(record.value) } : {}),
  };
}

const MOST_ANSWERS = 10;

/** Approves each gate, and answers each question that it is to decide itself. */
export async function agreed(engine: Engine, first: RunReport): Promise<RunReport> {
  let report = first;
  for (let answers = 0; answers < MOST_ANSWERS; answers++) {
    const gate = report.gates?.[0];
    if (gate === undefined) break;
    const said =
      gate.kind === 'clarification'
        ? ({ verdict: 'answer', value: 'Decide it yourself.' } as const)
        : ({ verdict: 'approve', why: 'it is a trial' } as const);
    const ordered = await engine.order(report.run, { type: 'review', gate: gate.gate, by: 'test:llm', ...said });
    if (!ordered.ok || ordered.value.handle === undefined) break;
    report = await ordered.value.handle.done;
  }
  return report;
}
