// Reads the arguments of a tool call, which providers send as text.
import type { Json } from '../base/json.ts';

/** Text that is no JSON stays text, so that the model can be told. */
export function argumentsOf(given: Json | undefined): Json {
  if (given === undefined || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** The text of arguments that go back to a provider. */
export function argumentsText(given: Json): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}
