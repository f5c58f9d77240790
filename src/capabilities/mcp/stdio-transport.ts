// The stdio transport: one JSON message per line, to and from a child process.
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { type Child, type ChildOptions, type Ending, startChild } from './child.ts';
import { messageLines } from './message-lines.ts';

export interface StdioTransport extends Transport {
  /** How the process ended; undefined while it runs. */
  ending(): Ending | undefined;
  /** A message was larger than is read; the process has been ended for it. */
  overflown(): boolean;
}

/** @param largest bytes of one message */
export function stdioTransport(options: ChildOptions, largest: number): StdioTransport {
  const lines = messageLines(largest);
  let child: Child | undefined;
  let ending: Ending | undefined;
  let overflown = false;

  function read(chunk: Buffer): void {
    const whole = lines.take(chunk);
    if (whole !== undefined) return whole.forEach(deliver);
    overflown = true;
    child?.output.off('data', read);
    child?.output.resume();
    void child?.end();
  }

  /** Lines that are no messages are passed over: some servers print there what they should not. */
  function deliver(line: string): void {
    try {
      transport.onmessage?.(deserializeMessage(line));
    } catch {
      // Whoever waits for a message goes on waiting.
    }
  }

  const transport: StdioTransport = {
    ending: () => ending,
    overflown: () => overflown,
    async start() {
      child = await startChild(options);
      child.output.on('data', read);
      void child.gone.then((how) => {
        ending = how;
        transport.onclose?.();
      });
    },
    send(message) {
      const { promise, resolve } = Promise.withResolvers<void>();
      // That the pipe is broken is told by the end of the process.
      child?.input.write(serializeMessage(message), () => resolve());
      return promise;
    },
    async close() {
      await child?.end();
    },
  };
  return transport;
}
