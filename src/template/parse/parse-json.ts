// Reads JSON text into a tree, so that nothing that only YAML needs is loaded.
import { issue, type PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { offsetOfFault } from './json-fault.ts';
import { jsonPositions, spanKey } from './json-positions.ts';
import { locator } from './line-positions.ts';
import { linesOf, MAX_NESTING, MAX_SOURCE, type ParsedDocument } from './tree.ts';

/** Never throws, whatever the text. */
export function parseJson(text: string, file: string): ParsedDocument {
  const locate = locator(text, file);
  const lines = linesOf(text);
  const refuse = (code: string, message: string, from: number): ParsedDocument => ({
    lines,
    issues: [issue(code, message, { place: locate(from, from + 1) })],
  });
  if (text.length > MAX_SOURCE) return refuse('SOURCE_TOO_LARGE', `the file has more than ${MAX_SOURCE} characters`, 0);
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('JSON_SYNTAX', 'the text stops being JSON here', offsetOfFault(text));
  }
  const spans = jsonPositions(text);
  if (spans.depth > MAX_NESTING) {
    return refuse('SOURCE_TOO_DEEP', `lists and maps stand more than ${MAX_NESTING} deep in each other`, 0);
  }
  const placeOf = (path: readonly PathPart[], part: 'key' | 'value' = 'value') => {
    for (let length = path.length; length >= 0; length -= 1) {
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
  return { issues: [...repeated, ...inexact], lines, tree: { file, value, lines, placeOf } };
}
