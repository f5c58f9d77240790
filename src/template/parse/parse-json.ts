// Reads JSON text into a tree, so that nothing that only YAML needs is loaded.
import { issue, type PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { jsonSpans, spanKey } from './json-spans.ts';
import { locator } from './positions.ts';
import { linesOf, MAX_NESTING, MAX_SOURCE, type Parsed } from './tree.ts';

/** Never throws, whatever the text. */
export function parseJson(text: string, file: string): Parsed {
  const locate = locator(text, file);
  const refuse = (code: string, message: string, from: number): Parsed => ({
    issues: [issue(code, message, { place: locate(from, from + 1) })],
  });
  if (text.length > MAX_SOURCE) return refuse('SOURCE_TOO_LARGE', `the file has more than ${MAX_SOURCE} characters`, 0);
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse('JSON_SYNTAX', 'this is not JSON', offsetOf(error, text));
  }
  const spans = jsonSpans(text);
  if (spans.depth > MAX_NESTING) {
    return refuse('SOURCE_TOO_DEEP', `lists and maps stand more than ${MAX_NESTING} deep in each other`, 0);
  }
  const placeOf = (path: readonly PathPart[], part: 'key' | 'value' = 'value') => {
    for (let length = path.length; length > 0; length -= 1) {
      const at = spanKey(path.slice(0, length));
      const preferKey = part === 'key' || length < path.length;
      const span = (preferKey ? spans.keys.get(at) : undefined) ?? spans.values.get(at);
      if (span !== undefined) return locate(...span);
    }
    return locate(0, 1);
  };
  const repeated = spans.repeated.map((path) =>
    issue('KEY_DUPLICATE', 'the key stands twice in this map', {
      path,
      place: placeOf(path, 'key'),
      hint: 'keep one of them',
    }),
  );
  const inexact = spans.inexact.map((path) =>
    issue('NUMBER_INEXACT', 'the number cannot be held exactly', {
      path,
      place: placeOf(path),
      hint: 'quote it to keep it as text',
    }),
  );
  return { issues: [...repeated, ...inexact], tree: { file, value, lines: linesOf(text), placeOf } };
}

/** V8 says where it stopped; at the end of the text it says nothing. */
function offsetOf(error: unknown, text: string): number {
  const position = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? text.length : Number(position);
}
