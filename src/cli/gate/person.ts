// The person at this terminal: prints text to the screen, and reads the answers line by line.
import { createInterface } from 'node:readline';
import type { Terminal } from '../terminal.ts';
import type { Person } from './ask-gate.ts';

export interface SeatedPerson extends Person {
  /** Releases the keyboard. */
  leave(): void;
}

/** Ctrl-C and Ctrl-D end the questions, not the process. */
export function personAt(
  terminal: Terminal,
  keyboard: NodeJS.ReadableStream,
  screen: NodeJS.WritableStream,
): SeatedPerson {
  const reader = createInterface({ input: keyboard, output: screen });
  const typed: string[] = [];
  let gone = false;
  let listener: (() => void) | undefined;
  const wake = (): void => {
    listener?.();
    listener = undefined;
  };
  reader.on('line', (line) => {
    typed.push(line);
    wake();
  });
  reader.on('SIGINT', () => reader.close());
  reader.on('close', () => {
    gone = true;
    wake();
  });
  return {
    say: terminal.say,
    ask: async (prompt) => {
      if (typed.length === 0 && !gone) {
        reader.setPrompt(prompt);
        reader.prompt();
        await new Promise<void>((resolve) => {
          listener = resolve;
        });
      }
      return typed.shift();
    },
    leave: () => reader.close(),
  };
}
