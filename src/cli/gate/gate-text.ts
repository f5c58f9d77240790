// Describes a gate to a person before the decision: the question, its context, and the possible answers.
import { counted } from '../../base/counted.ts';
import { unreachable } from '../../base/fault.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { fieldsOf } from '../../contract/describe-contract.ts';
import { type AnswerableGate, allowsWiderGrant, checkDecision, gateAnswers } from '../../engine/gates/gate-answers.ts';
import { runTime } from '../../engine/state/run-time.ts';
import type { GateView } from '../../engine/state/run-view.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { wantsConsent } from '../../view/consent.ts';
import { hanging, type Line, span } from '../../view/line.ts';
import { openGateLines, openGatesOf } from '../../view/open-gates.ts';
import { storedValue } from '../../view/stored-value.ts';
import type { ParsedArguments } from '../command.ts';
import { contractLines, exampleOf } from '../contract-words.ts';
import { commandLine, shellWord } from '../store-file.ts';

/** The full description of a gate, with a limited number of context lines. */
export async function gateLines(
  record: RunRecord,
  gate: GateView,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Line[]> {
  const [head] = openGateLines(
    openGatesOf(record.state).filter(({ gate: id }) => id === gate.id),
    runTime(record.state, Date.now()),
  );
  const context = gate.context === undefined ? undefined : storedValue(gate.context, record.blob);
  return [
    head ?? [span(gate.id, 'warn'), span(`  ${gate.kind} of ${gate.step}`), span(`  ${gate.end ?? ''}`, 'dim')],
    ...promptLines(gate),
    ...cut(await contextLines(context), most),
    ...answerLines(gate),
  ];
}

/** The YAML library is imported only to show a context. */
async function contextLines(context: Json | undefined): Promise<readonly Line[]> {
  if (context === undefined) return [];
  const { stringify } = await import('yaml');
  const textOf = (value: Json): string => (typeof value === 'string' ? value : stringify(value, { lineWidth: 100 }));
  if (!isJsonObject(context)) return indented(textOf(context));
  return Object.entries(context)
    .filter(([, value]) => !isEmpty(value))
    .flatMap(([name, value]) => [[span(`${name}:`, 'dim')], ...indented(textOf(value))]);
}

function cut(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), [span(`… and ${counted(lines.length - most, 'line')} more`, 'dim')]];
}

function promptLines({ prompt }: Pick<GateView, 'prompt'>): readonly Line[] {
  return prompt
    .trimEnd()
    .split('\n')
    .map((line) => [hanging(line, 'strong')]);
}

/** Returns no lines for a yes-or-no gate. */
export function answerLines(gate: Pick<GateView, 'id' | 'kind' | 'decision'>): readonly Line[] {
  const { contract } = gateAnswers(gate);
  if (contract === undefined || wantsConsent(gate)) return [];
  return [[span('what may be answered:', 'dim')], ...contractLines(contract).map((line) => [span('  '), ...line])];
}

/** The answers are listed in full, because nobody would guess that rejecting a budget gate ends the run. */
const budgetAnswers = [['answer=raise', 'limit=…'], ['answer=converge'], ['answer=replan'], ['answer=abort']];

/** The command lines that answer a gate. */
export function howToAnswer(given: ParsedArguments, run: string, gate: AnswerableGate): readonly string[] {
  const review = (...words: readonly string[]): string => commandLine(given, 'review', run, gate.id, ...words);
  if (gate.kind === 'exhaustion')
    return budgetAnswers.map((words) => review(...words.flatMap((word) => ['--answer', word])));
  return gateAnswers(gate).verdicts.flatMap((verdict) => {
    switch (verdict) {
      case 'approve':
        return checkDecision(gate, { verdict }).ok ? [review('--approve'), ...wider(gate, review)] : [];
      case 'reject':
        return [review('--reject', '"why"')];
      case 'answer':
        return wantsConsent(gate) ? [] : [review(...answerWords(gate))];
      case 'edit':
        return [review('--edit', 'plan.yaml')];
      default:
        return unreachable(verdict);
    }
  });
}

/** An approval may cover many calls at once. */
function wider(gate: AnswerableGate, review: (...words: readonly string[]) => string): readonly string[] {
  return allowsWiderGrant(gate) ? [review('--approve', '--for', 'capability')] : [];
}

function answerWords({ decision }: Pick<GateView, 'decision'>): readonly string[] {
  const fields = fieldsOf(decision);
  const needed = fields.filter(({ required }) => required);
  const shown = needed.length === 0 ? fields.slice(0, 1) : needed;
  const words =
    shown.length === 0
      ? [exampleOf(decision) ?? 'JSON']
      : shown.map(({ name, schema }) => `${name}=${exampleOf(schema) ?? 'JSON'}`);
  return words.flatMap((word) => ['--answer', shellWord(word)]);
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function indented(text: string): readonly Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => [span(`  ${line}`)]);
}
