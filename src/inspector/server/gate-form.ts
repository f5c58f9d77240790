// Builds the form of a gate: the question, its context, and the possible answers.
import { defined, isJsonObject, type Json } from '../../base/json.ts';
import { fieldsOf, plain, wholeWords } from '../../contract/describe-contract.ts';
import { type Schema, typesOf, valuesOf } from '../../contract/schema.ts';
import { allowsWiderGrant, gateAnswers } from '../../engine/gates/gate-answers.ts';
import type { GateView } from '../../engine/state/run-view.ts';
import { questionFor } from '../../goals/ask/question-for.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { wantsConsent } from '../../view/consent.ts';
import { storedValue } from '../../view/stored-value.ts';
import type { FormField, GateForm } from '../wire.schema.ts';

/** The YAML library is imported only when somebody looks at a gate. */
export async function gateForm(record: RunRecord, gate: GateView): Promise<GateForm> {
  const { stringify } = await import('yaml');
  const textOf = (value: Json): string =>
    typeof value === 'string' ? value : stringify(value, { lineWidth: 100 }).trimEnd();
  const { verdicts, contract } = gateAnswers(gate);
  const { plan, ...known } = contextOf(record, gate);
  return {
    gate: gate.id,
    kind: gate.kind,
    step: gate.step,
    prompt: gate.prompt,
    open: gate.end === undefined,
    verdicts,
    wider: allowsWiderGrant(gate),
    consent: wantsConsent(gate),
    fields: contract === undefined ? [] : fieldsIn(contract),
    ...defined({ wanted: contract === undefined ? undefined : wholeWords(contract) }),
    context: Object.entries(known)
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => ({ name, text: textOf(value) })),
    ...defined({ plan: plan === undefined ? undefined : textOf(plan) }),
  };
}

function contextOf({ blob }: RunRecord, { context }: GateView): Readonly<Record<string, Json>> {
  if (context === undefined) return {};
  const value = storedValue(context, blob);
  return isJsonObject(value) ? value : { context: value };
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function fieldsIn(contract: Schema): readonly FormField[] {
  return fieldsOf(contract).map(({ name, schema, required }) => {
    const choices = choicesOf(schema);
    return { name, question: questionFor(name, schema), required, ...defined({ choices }) };
  });
}

function choicesOf(schema: Schema): readonly string[] | undefined {
  const types = typesOf(schema);
  if (types.length === 1 && types[0] === 'boolean') return ['yes', 'no'];
  return valuesOf(schema)?.map(plain);
}
