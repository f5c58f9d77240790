// A call in full, for people: the messages of its request, which part an earlier request shares, and its reply.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import type { CallHistory } from '../history.ts';
import { hanging, type Line, span, type Tone } from '../line.ts';
import { callText } from './call-text.ts';
import type { RequestParts, SharedPrefix } from './shared-prefix.ts';

export interface Exchange {
  /** `1.2`: the second call of the first attempt. */
  readonly name: string;
  readonly call: CallHistory;
  readonly request: Json;
  /** Absent while the call runs, and after a failure. */
  readonly reply?: Json;
  /** Present for a request to a model. */
  readonly parts?: RequestParts;
}

export function exchangeText({ name, call, request, reply, parts }: Exchange): readonly Line[] {
  return [
    [span(`call ${name}  `, 'strong'), hanging(callText(call))],
    ...(call.prompt === undefined ? [] : [[span(`prompt ${call.prompt}`, 'dim')]]),
    ...(parts === undefined ? section('request', request) : requestText(request, parts.prefix)),
    ...(reply === undefined ? [] : replyText(reply)),
    [span('--json shows all of it: schemas, usage and data of the provider too', 'dim')],
  ];
}

function requestText(request: Json, prefix: SharedPrefix | undefined): readonly Line[] {
  const messages = ownProperty(request, 'messages');
  const tools = namesIn(ownProperty(request, 'tools'));
  const answer = ownProperty(ownProperty(request, 'answer'), 'name');
  return [
    ...(prefix === undefined ? [] : [sharedText(prefix)]),
    ...(tools.length === 0 ? [] : [[span('tools ', 'dim'), hanging(tools.join(', '))]]),
    ...(typeof answer === 'string' ? [[span('answer ', 'dim'), hanging(`JSON with the schema "${answer}"`)]] : []),
    ...(isJsonArray(messages) ? messages : []).flatMap((message, at) => {
      const isShared = at < (prefix?.messages ?? 0);
      const role = String(ownProperty(message, 'role') ?? '');
      return [
        heading(role, isShared && prefix !== undefined ? `as in call ${prefix.call}` : undefined),
        ...spokenText(message, isShared ? 'dim' : undefined),
      ];
    }),
  ];
}

function sharedText({ step, call, share }: SharedPrefix): Line {
  const begins = `begins with the same ${Math.round(share * 100)} % as call ${call} of ${step}`;
  return [span(begins), span(', which servers may keep in their caches', 'dim')];
}

function replyText(reply: Json): readonly Line[] {
  const isOfModel = typeof ownProperty(reply, 'text') === 'string';
  if (!isOfModel) return section('reply', reply);
  const finish = ownProperty(reply, 'finish');
  return [heading('reply', typeof finish === 'string' && finish !== 'stop' ? finish : undefined), ...spokenText(reply)];
}

/** The text of a message or a reply, and its tool calls. */
function spokenText(message: Json, tone?: Tone): readonly Line[] {
  const text = ownProperty(message, 'content') ?? ownProperty(message, 'text');
  const calls = ownProperty(message, 'toolCalls');
  return [
    ...(typeof text === 'string' && text !== '' ? indented(text, tone) : []),
    ...(isJsonArray(calls) ? calls : []).map((call): Line => {
      const given = JSON.stringify(ownProperty(call, 'arguments') ?? {});
      return [span('  calls ', 'dim'), hanging(`${String(ownProperty(call, 'name'))} ${given}`, tone)];
    }),
  ];
}

function section(title: string, value: Json): readonly Line[] {
  return [heading(title), ...indented(typeof value === 'string' ? value : JSON.stringify(value, null, 2))];
}

function heading(title: string, note?: string): Line {
  return [span(title, 'strong'), ...(note === undefined ? [] : [span(`  ${note}`, 'dim')])];
}

function indented(text: string, tone?: Tone): readonly Line[] {
  return text.split('\n').map((line) => [span('  '), hanging(line, tone)]);
}

function namesIn(tools: Json | undefined): readonly string[] {
  return (isJsonArray(tools) ? tools : []).flatMap((tool) => {
    const name = isJsonObject(tool) ? tool.name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
