// A run of a template that is recorded: what it is given, what a scripted model answers in it, and what people do.
import type { JsonObject } from '../../src/base/json.ts';
import type { Script } from '../../src/llm/script.ts';

export interface Recording {
  /** Both relative to `templates/`. */
  readonly template: string;
  readonly cassette: string;
  readonly input: JsonObject;
  /** Approve every gate, with this note. */
  readonly why: string;
  readonly script: Script;
}
