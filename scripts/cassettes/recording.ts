// A recording of a template's run: its input, the replies of a scripted model, and the decisions of people.
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
