// A process that runs one command after another like `main.ts` runs one, so that tests pay the start time only once.
import { findCommand } from '../../src/cli/commands.ts';
import { dispatch } from '../../src/cli/dispatch.ts';
import type { Answered } from './reconverge.ts';

export interface Call {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

process.on('message', async (call: Call) => process.send?.(await answer(call)));
process.on('disconnect', () => process.exit());

async function answer({ words, cwd, env }: Call): Promise<Answered> {
  const found = findCommand(words);
  if (found === undefined) throw new Error(`there is no command "${words[0]}"`);
  process.chdir(cwd);
  process.env = env;
  let said = '';
  const all = (text: string): void => {
    said += text;
  };
  const stdout = hear(process.stdout, all);
  const stderr = hear(process.stderr, all);
  const code = await dispatch(found.entry, found.rest);
  return { code, stdout: stdout(), stderr: stderr(), said };
}

/** Collects the output until the returned function is called. */
function hear(stream: NodeJS.WriteStream, also: (text: string) => void): () => string {
  let heard = '';
  stream.write = (text: string | Uint8Array) => {
    heard += String(text);
    also(String(text));
    return true;
  };
  return () => {
    stream.removeAllListeners('error');
    return heard;
  };
}
