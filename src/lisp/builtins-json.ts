// Builtins that read and write JSON.
import { type Builtin, builtin, type Shapes } from './builtin.ts';
import { parseJson, writeJson } from './json-text.ts';
import { handle } from './machine.ts';
import { text } from './match.ts';
import { type Machine, type Value, vector } from './value.ts';

function paidText(m: Machine, value: Value): string {
  const input = text(value, 'json/parse-lines');
  handle(m, input.length >> 4);
  return input;
}

const PARSE: Shapes = { one: (m, a) => (typeof a === 'string' ? (parseJson(m, a) ?? null) : null) };
const WRITE: Shapes = { one: writeJson };

export const jsonBuiltins: readonly Builtin[] = [
  builtin(
    'json/parse',
    PARSE,
    '98 + c/4',
    'Reads JSON, or returns nil for invalid text',
    '(json/parse "{\\"a\\": [1]}")',
    '{"a" [1]}',
  ),
  builtin(
    'json/parse-string',
    PARSE,
    '98 + c/4',
    'Reads JSON; the same as json/parse',
    '(json/parse-string "[1, 2]")',
    '[1 2]',
  ),
  builtin(
    'json/parse-lines',
    {
      one: (m, a) => {
        const lines = paidText(m, a).split(/\r?\n/);
        handle(m, lines.length);
        return vector(lines.filter((line) => line.trim() !== '').map((line): Value => parseJson(m, line) ?? null));
      },
    },
    '1 + c/4 + 98 for each line',
    'Reads each line as JSON; nil for an invalid line',
    '(json/parse-lines "1\\nx")',
    '[1 nil]',
  ),
  builtin(
    'json/write',
    WRITE,
    '4n + c/16',
    'Writes a value as JSON; keywords become strings, sets become lists',
    '(json/write {:a [1 nil]})',
    '"{\\"a\\":[1,null]}"',
  ),
  builtin(
    'json/generate-string',
    WRITE,
    '4n + c/16',
    'Writes a value as JSON; the same as json/write',
    '(json/generate-string {:a 1})',
    '"{\\"a\\":1}"',
  ),
];
