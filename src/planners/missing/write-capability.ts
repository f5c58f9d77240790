// Has a model write a pure Lisp capability with contracts, and tests it on its own examples.
import { digestOf } from '../../base/digest.ts';
import type { Issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import type { Work } from '../../engine/record/call.ts';
import type { MissingCapability } from '../../goals/plan/missing-capability.ts';
import { compileCached } from '../../lisp/compile-cached.ts';
import type { Limits } from '../../lisp/limits.ts';
import { run } from '../../lisp/run.ts';
import { toJson } from '../../lisp/to-json.ts';
import type { Message } from '../../model/request.ts';
import { readOwnCapabilities } from '../../planning/read/own-capabilities.ts';
import { type Asker, askForJson } from './model-json.ts';
import { wantedText, writingForm } from './prompts.ts';

const TRIES = 2;

/** `logic` is a person's description. The error says why there is none. */
export function* writeCapability(
  wanted: MissingCapability,
  goal: string,
  asker: Asker,
  limits: Partial<Limits>,
  logic?: string,
): Work<Result<JsonObject, string>> {
  if (asker.model === undefined) return bad('no model is configured to write one');
  const said: Message[] = [{ role: 'user', content: wantedText(wanted, goal, logic) }];
  let why = 'the model returned none';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const answer = yield* askForJson(asker, writingForm, said);
    if (answer === undefined) return bad(why);
    if (typeof answer.impossible === 'string') return bad(answer.impossible);
    const { examples, ...parts } = answer;
    const capability = { ...parts, name: wanted.name };
    const wrong = wrongWith(capability, isJsonArray(examples) ? examples : [], limits);
    if (wrong.length === 0) return good(capability);
    why = `the model's code does not work: ${wrong.join('; ')}`;
    said.push(
      { role: 'assistant', content: JSON.stringify(answer) },
      { role: 'user', content: `That does not work: ${wrong.join('; ')}. Answer again, with all of it.` },
    );
  }
  return bad(why);
}

/** Errors of the contracts, the code and the examples; a person only sees a capability without any. */
function wrongWith(capability: JsonObject, examples: readonly Json[], limits: Partial<Limits>): readonly string[] {
  const { input, output, lisp } = capability;
  if (!isJsonObject(input) || !isJsonObject(output) || typeof lisp !== 'string')
    return ['"input", "output" and "lisp" are needed'];
  const issues: Issue[] = [];
  readOwnCapabilities([capability], issues);
  if (issues.length > 0) return issues.map(({ code, message }) => `${code}: ${message}`);
  return examples.flatMap((example, index) => {
    const wrong = wrongOn(example, output, lisp, limits);
    return wrong === undefined ? [] : [`example ${index + 1} ${wrong}`];
  });
}

function wrongOn(example: Json, output: JsonObject, lisp: string, limits: Partial<Limits>): string | undefined {
  const given = ownProperty(example, 'input') ?? null;
  const wanted = ownProperty(example, 'output') ?? null;
  const program = compileCached(lisp, { bindings: ['input'] });
  if (!program.ok) return 'does not compile';
  const outcome = run(program.value, { input: given }, { limits });
  if (!outcome.ok) return `fails: ${outcome.error.message}`;
  const value = toJson(outcome.value);
  if (!value.ok) return `fails: ${value.error.message}`;
  const checked = contractOf(output).check(value.value);
  if (!checked.ok) return `returns a value that breaks its output contract: ${checked.error[0]?.message ?? ''}`;
  if (digestOf(value.value) === digestOf(wanted)) return undefined;
  return `returns ${JSON.stringify(value.value)} instead of ${JSON.stringify(wanted)}`;
}
