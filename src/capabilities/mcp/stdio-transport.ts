// The stdio transport: one JSON message per line, to and from a child process.
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { type ProcessEnding, type ServerProcess, type ServerProcessOptions, startServer } from './server-process.ts';

interface StdioTransport extends Transport {
  /** The exit of the process; undefined while it runs. */
  ending(): ProcessEnding | undefined;
  /** The server sent a message above the size limit, and the process was ended. */
  overflown(): boolean;
}

/** @param largest bytes of one message */
export function stdioTransport(options: ServerProcessOptions, largest: number): StdioTransport {
  const lines = messageLines(largest);
  let child: ServerProcess | undefined;
  let ending: ProcessEnding | undefined;
  let overflown = false;

  function read(chunk: Buffer): void {
    const whole = lines.take(chunk);
    if (whole !== undefined) return whole.forEach(deliver);
    overflown = true;
    child?.output.off('data', read);
    child?.output.resume();
    void child?.end();
  }

  /** Skips lines that are no messages: some servers print logs to standard output. */
  function deliver(line: string): void {
    try {
      transport.onmessage?.(deserializeMessage(line));
    } catch {
      // The request keeps waiting for its answer.
    }
  }

  const transport: StdioTransport = {
    ending: () => ending,
    overflown: () => overflown,
    async start() {
      child = await startServer(options);
      child.output.on('data', read);
      void child.gone.then((how) => {
        ending = how;
        transport.onclose?.();
      });
    },
    send(message) {
      const { promise, resolve } = Promise.withResolvers<void>();
      // The end of the process reports a broken pipe.
      child?.input.write(serializeMessage(message), () => resolve());
      return promise;
    },
    async close() {
      await child?.end();
    },
  };
  return transport;
}

interface MessageLines {
  /** The complete lines so far; undefined when one is above the size limit. */
  take(chunk: Buffer): readonly string[] | undefined;
}

const NEWLINE = 0x0a;

/** @param largest bytes of one line */
function messageLines(largest: number): MessageLines {
  let begun: Buffer[] = [];
  let bytes = 0;
  return {
    take(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); ; end = chunk.indexOf(NEWLINE, from)) {
        const piece = chunk.subarray(from, end < 0 ? chunk.length : end);
        bytes += piece.length;
        if (bytes > largest) return undefined;
        begun.push(piece);
        if (end < 0) return lines;
        lines.push(Buffer.concat(begun).toString('utf8'));
        begun = [];
        bytes = 0;
        from = end + 1;
      }
    },
  };
}
