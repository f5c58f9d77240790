// A dry run: runs a template in a store of its own, without calling anything that could have an effect.
import type { Json } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import { exampleOf } from '../../contract/example.ts';
import { gateAnswers } from '../../engine/gates/gate-answers.ts';
import { openMemoryJournal } from '../../store/memory-journal.ts';
import type { Template } from '../../template/template.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import type { StartOptions } from '../api/engine.ts';
import type { EngineOptions } from '../api/engine-options.ts';
import type { RunRecord } from '../api/run-record.ts';
import type { RunReport } from '../api/run-report.ts';
import { createEngine } from '../create-engine.ts';
import { answerGates, answerIn } from '../order/answer-gates.ts';
import type { StubFile } from './read-stubs.ts';
import { type AnswerSource, standIn } from './stand-in.ts';

export interface DryRun {
  readonly report: RunReport;
  readonly record: RunRecord;
  /** The source of each answer, in order. */
  readonly sources: readonly AnswerSource[];
}

export async function dryRun(
  template: Template,
  { answers, ...stubs }: StubFile,
  start: Pick<StartOptions, 'input' | 'budget' | 'raise'>,
  options: Pick<EngineOptions, 'capabilities' | 'folder' | 'surroundings'> = {},
): Promise<Result<DryRun>> {
  const sources: AnswerSource[] = [];
  const engine = createEngine({
    ...options,
    journal: openMemoryJournal(),
    learning: false,
    standIn: (running) => standIn(running, stubs, (each) => sources.push(each)),
  });
  try {
    const started = await engine.start(template, { ...start, by: 'dry-run' });
    if (!started.ok) return started;
    const answerOf = (gate: OpenGate): Json | undefined => answerIn(answers, gate.step) ?? agreement(gate);
    const report = await answerGates(engine, started.value, answerOf, { by: 'dry-run' });
    if (!report.ok) return report;
    const record = engine.read(report.value.run);
    if (!record.ok) return record;
    const asked = [...record.value.state.gates.values()].map(({ step, kind }): AnswerSource => {
      const from = answerIn(answers, step) === undefined ? 'its contract' : 'its stub';
      return { step, asked: `a person (${kind})`, from };
    });
    return good({ report: report.value, record: record.value, sources: [...sources, ...asked] });
  } finally {
    await engine.close();
  }
}

/** Approves, or gives an example value of the gate's contract. */
function agreement({ kind, decision }: OpenGate): Json | undefined {
  const { verdicts, contract } = gateAnswers({ kind, decision });
  return verdicts.includes('approve') ? true : exampleOf(contract ?? decision);
}
