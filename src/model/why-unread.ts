// Says why no JSON value could be read out of a model's answer, so that the model can mend it.
import { jsonSlices } from './json-slices.ts';
import { withoutReasoning } from './without-reasoning.ts';

const SHOWN = 60;

/** Follows "your answer": `was empty`, `holds no JSON value: it begins "Sure, here"`. */
export function whyUnread(answer: string): string {
  const text = withoutReasoning(answer).trim();
  if (text === '') return answer.trim() === '' ? 'was empty' : 'was empty after its reasoning';
  const last = jsonSlices(text).at(-1);
  if (last === undefined) return `holds no JSON value: it begins ${shownText(text)}`;
  const body = text.slice(last.from, last.to);
  if (!last.isClosed) return `holds JSON that ends before it closes: it ends ${shownText(body.slice(-SHOWN))}`;
  const at = placeOfFault(body);
  return at === undefined
    ? `holds no JSON value: it begins ${shownText(text)}`
    : `holds JSON that breaks at ${shownText(body.slice(at, at + SHOWN))}, after ${shownText(body.slice(Math.max(0, at - SHOWN / 2), at))}`;
}

/** The first characters, quoted. */
export function shownText(text: string): string {
  return JSON.stringify(text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
}

const TOKEN = /\s*(?:([{[])|([}\]])|([,:])|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** The offset of the first token that JSON does not allow there. */
function placeOfFault(text: string): number | undefined {
  let isDue = true;
  let last = '';
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return at + (/^\s*/.exec(text.slice(at, at + SHOWN))?.[0].length ?? 0);
    const [token, opening, closing, separator] = found;
    const isWrong = closing !== undefined ? last === ',' || last === ':' : isDue === (separator !== undefined);
    if (isWrong) return at + token.length - token.trimStart().length;
    isDue = opening !== undefined || separator !== undefined;
    last = token.trim();
    at += token.length;
  }
  return undefined;
}
