// Where a text stops being JSON: V8 says so for some faults only.

type ExpectedToken = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const TOKEN = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|[[\]{}:,]|[^\s[\]{}:,"]+|\S/g;
const SCALAR = /^(?:"[\s\S]*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** The offset of the first token that cannot stand where it does; the text's length when it only ends too early. */
export function offsetOfFault(text: string): number {
  const open: ('{' | '[')[] = [];
  let wanted: ExpectedToken = 'value';
  const after = (): ExpectedToken => (open.length === 0 ? 'nothing' : 'comma or end');
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const holder = open.at(-1);
    const opens: boolean = wanted === 'value' || wanted === 'value or end';
    if (opens && (token === '{' || token === '[')) {
      open.push(token);
      wanted = token === '{' ? 'key or end' : 'value or end';
    } else if (opens && SCALAR.test(token)) {
      wanted = after();
    } else if (token === (holder === '{' ? '}' : ']') && holder !== undefined && wanted.endsWith('or end')) {
      open.pop();
      wanted = after();
    } else if (token === ',' && wanted === 'comma or end') {
      wanted = holder === '{' ? 'key' : 'value';
    } else if (wanted.startsWith('key') && token.startsWith('"') && SCALAR.test(token)) {
      wanted = 'colon';
    } else if (token === ':' && wanted === 'colon') {
      wanted = 'value';
    } else {
      return index;
    }
  }
  return text.length;
}
