// Answers the looks of a planning model: parts of results, and contracts of capabilities.
import { isJsonObject, type Json } from '../../base/json.ts';
import { MOST_CALLS_PER_TURN } from '../../engine/agent/agent-work.ts';
import { dataText } from '../../engine/agent/prompt.ts';
import type { Work } from '../../engine/record/call.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { Brief } from '../../planning/brief.ts';
import { type Look, looksIn } from '../../planning/look.ts';
import { readReplyText } from '../../planning/read/reply-text.ts';
import { lookedUp } from './catalogue.ts';

/** A look, or a call of the tool with which models of earlier versions looked; others are told how to look. */
type WantedLook = Look | { readonly kind: 'tool'; readonly name: string; readonly request: Json };

/** Undefined for a reply that is no look. */
export function looksOf({ text, toolCalls = [] }: ModelReply): readonly WantedLook[] | undefined {
  if (toolCalls.length > 0) return toolCalls.map(({ name, arguments: request }) => ({ kind: 'tool', name, request }));
  const read = readReplyText(text);
  return read === undefined ? undefined : looksIn(read.value);
}

export function* answerLooks(looks: readonly WantedLook[], brief: Brief): Work<string> {
  const parts: string[] = [];
  for (const look of looks.slice(0, MOST_CALLS_PER_TURN)) parts.push(yield* answer(look, brief));
  const left = looks.length - MOST_CALLS_PER_TURN;
  return [
    ...parts,
    ...(left > 0 ? [`The other ${left} were not looked up: at most ${MOST_CALLS_PER_TURN} at once.`] : []),
  ].join('\n');
}

function* answer(look: WantedLook, { capabilities }: Brief): Work<string> {
  switch (look.kind) {
    case 'capability':
      return lookedUp(look.wanted, capabilities);
    case 'result': {
      const { ref, path } = look;
      return yield* lookUp(path === undefined ? { ref } : { ref, path });
    }
    case 'tool':
      if (look.name !== EARLIER_TOOL || !isJsonObject(look.request)) return NO_TOOLS;
      return yield* lookUp(look.request);
  }
}

/** Journals of earlier versions have calls of it. */
const EARLIER_TOOL = 'fetch_context';
const NO_TOOLS = 'There are no tools here. Answer {"look": [{"result": "step#1", "path": "files.0"}]} to see more.';

function* lookUp(request: Json): Work<string> {
  const found = yield { kind: 'look_up', request };
  return found.ok ? dataText('look', found.value) : `${found.error.code}: ${found.error.message}`;
}
