// Explains one composition of a template, and tries it without effects.
import { issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type CompositionTrial, playComposition } from '../../capabilities/play-composition.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { type CompositionSpec, resultOfComposition } from '../../template/keys/composition.ts';
import { partsBeside } from '../load/load-compositions.ts';
import type { LoadedTemplate } from '../load/load-file.ts';
import type { Stubs } from './stand-in.ts';

export interface CompositionExplanation {
  readonly declaration: Declaration;
  readonly calls: readonly {
    readonly name: string;
    readonly call: string;
    readonly effects: readonly string[];
    /** True when the call changes something outside the run; only the last call may. */
    readonly changes: boolean;
    /** The input as the template writes it. */
    readonly input: Json;
  }[];
  /** The result as the template writes it. */
  readonly result: Json;
  readonly played: CompositionTrial;
}

/** Explains the composition of that name and tries it with `input`, or with an example of its contract. Issues: CAPABILITY_UNKNOWN. */
export async function explainComposition(
  { template, registry }: LoadedTemplate,
  name: string,
  stubs: Pick<Stubs, 'steps' | 'capabilities'>,
  input: Json | undefined,
): Promise<Result<CompositionExplanation>> {
  const specs = compositionsIn(template.sources);
  const spec = specs.find((each) => each.name === name);
  const declaration = template.capabilities[name];
  if (spec === undefined || declaration === undefined) return bad([unknown(name, specs)]);
  const granted = Object.keys(registry.declarations()).flatMap((each) => registry.get(each) ?? []);
  const parts = await partsBeside(granted);
  const calls = spec.steps.map((step) => {
    const part = parts.get(step.call)?.declaration;
    return { ...step, effects: part?.effects ?? [], changes: part !== undefined && isMutating(part) };
  });
  const played = await playComposition(spec, declaration, parts, stubs, input);
  return good({ declaration, calls, result: resultOfComposition(spec), played });
}

function compositionsIn(sources: LoadedTemplate['template']['sources']): readonly CompositionSpec[] {
  return sources.flatMap((source) => (typeof source === 'object' && 'compose' in source ? [source.compose] : []));
}

function unknown(name: string, specs: readonly CompositionSpec[]) {
  const names = specs.map((each) => each.name);
  const known =
    names.length === 0 ? 'it has none: write one under capabilities as - compose: …' : `it has ${names.join(', ')}`;
  return issue('CAPABILITY_UNKNOWN', `the template has no composition "${name}"`, {
    hint: didYouMean(name, names) ?? known,
  });
}
