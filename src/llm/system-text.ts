// Adds instructions to the system message of a conversation, or turns it into text of the user.
import type { Message } from '../model/request.ts';

/** Many models know only one system message, and only in first place. */
export function withSystemText(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ role: 'system', content: `${first.content}\n\n${text}` }, ...rest];
}

/** Puts the system message before the first message of the user. Neighbors of one role become one message. */
export function withoutSystemMessages(messages: readonly Message[]): readonly Message[] {
  const sent: Message[] = [];
  for (const message of messages) {
    const last = sent.at(-1);
    if (message.role !== 'system' && message.role !== 'user') sent.push(message);
    else if (last?.role !== 'user') sent.push({ role: 'user', content: message.content });
    else sent.splice(-1, 1, { role: 'user', content: `${last.content}\n\n${message.content}` });
  }
  return sent;
}
