// The events of a streamed response of the Responses API, in the order of OpenAI's documentation.
import type OpenAI from 'openai';
import { piecesOf } from '../llm/script.ts';
import type { SentResponse } from './scripted-response.ts';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;
type Item = OpenAI.Responses.ResponseOutputItem;
/** Numbered when all events are known. */
type Unnumbered<E> = E extends StreamEvent ? Omit<E, 'sequence_number'> : never;
type BareEvent = Unnumbered<StreamEvent>;

export function eventsOf(whole: SentResponse): readonly StreamEvent[] {
  const response: OpenAI.Responses.Response = { ...whole, output_text: '' };
  const { usage: _, ...rest } = response;
  const begun = { ...rest, status: 'in_progress' as const, output: [] };
  const events: readonly BareEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...whole.output.flatMap(itemEvents),
    whole.status === 'incomplete'
      ? { type: 'response.incomplete', response }
      : { type: 'response.completed', response },
  ];
  return events.map((event, sequence_number): StreamEvent => ({ ...event, sequence_number }));
}

function itemEvents(item: Item, output_index: number): readonly BareEvent[] {
  const inner = item.type === 'message' ? messageEvents(item, output_index) : callEvents(item, output_index);
  return [
    { type: 'response.output_item.added', item: emptied(item), output_index },
    ...inner,
    { type: 'response.output_item.done', item, output_index },
  ];
}

/** The encrypted content of an item that was only begun is not whole. */
function emptied(item: Item): Item {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return item.type === 'reasoning' ? { ...item, encrypted_content: 'gAAAA' } : item;
}

function messageEvents(item: OpenAI.Responses.ResponseOutputMessage, output_index: number): readonly BareEvent[] {
  return item.content.flatMap((part, content_index): readonly BareEvent[] => {
    const at = { item_id: item.id, output_index, content_index };
    if (part.type === 'refusal') {
      return [
        { type: 'response.content_part.added', ...at, part: { ...part, refusal: '' } },
        ...piecesOf(part.refusal).map((delta): BareEvent => ({ type: 'response.refusal.delta', ...at, delta })),
        { type: 'response.refusal.done', ...at, refusal: part.refusal },
        { type: 'response.content_part.done', ...at, part },
      ];
    }
    return [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      ...piecesOf(part.text).map(
        (delta): BareEvent => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }),
      ),
      { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ];
  });
}

function callEvents(item: Item, output_index: number): readonly BareEvent[] {
  if (item.type !== 'function_call') return [];
  const { id: item_id = '', arguments: given } = item;
  const half = given.length >> 1;
  const pieces = [given.slice(0, half), given.slice(half)];
  return [
    ...pieces.map(
      (delta): BareEvent => ({
        type: 'response.function_call_arguments.delta',
        ...{ item_id, output_index, delta },
      }),
    ),
    { type: 'response.function_call_arguments.done', item_id, output_index, arguments: given },
  ];
}
