// Adds instructions to the system message of a conversation.
import type { Message } from '../model/request.ts';

/** Many models know only one system message, and only in first place. */
export function withSystemText(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ role: 'system', content: `${first.content}\n\n${text}` }, ...rest];
}
