// lsp: a language server for editors, over standard input and output.
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [],
  flags: [
    { name: '--stdio', description: 'Talk over standard input and output, as always; some editors add this flag.' },
    { name: '--clientProcessId <id>', description: 'The process of the editor; the server ends when it ends.' },
  ],
  examples: [
    { command: 'reconverge lsp', does: 'serve an editor, which starts this command by itself' },
    { command: 'reconverge validate plan.yaml --watch', does: 'check a template at each change, without an editor' },
  ],
  async run() {
    if (process.stdin.isTTY) throw new UsageError(BY_HAND);
    const { serve } = await import('../lsp/serve.ts');
    await serve();
    return exitCodes.done;
  },
};

const BY_HAND =
  'this server talks to an editor, and a person has started it; let your editor start it, or check a template with: reconverge validate FILE';
