// Recognizes requests of planners in cassettes of earlier versions, whose prompts had other words.
import { isJsonArray, isJsonObject, type Json } from '../base/json.ts';

/** Words that only the prompts of planners before signatures had. */
const EARLIER_WORDS = [
  '\n- the phase comes together at ',
  'Tools stand one on a line: name(parameter, optional?: type)',
];

/** Whether an earlier version wrote the request of this planner. */
export function isEarlierPrompt(request: Json): boolean {
  return textsIn(request).some((text) => EARLIER_WORDS.some((words) => text.includes(words)));
}

/**
 * The kind of prompt and the goal, which are the same in all versions; undefined for requests that are no planner's. Answers
 * to the same goal follow each other in the order of their recording.
 */
export function goalKey(request: Json): string | undefined {
  const [system = '', ...others] = textsIn(request);
  const goal = others.map((text) => /^# Goal\n(.*?)(?=\n\n# |$)/s.exec(text)?.[1]).find((each) => each !== undefined);
  return goal === undefined ? undefined : `${system.slice(0, KIND)}\n${goal}`;
}

/** Characters of a system message that tell the kinds of prompts apart. */
const KIND = 24;

function textsIn(request: Json): readonly string[] {
  const messages = isJsonObject(request) && isJsonArray(request.messages) ? request.messages : [];
  return messages.map((message) =>
    isJsonObject(message) && typeof message.content === 'string' ? message.content : '',
  );
}
