// A process that runs one command after another, as `main.ts` runs one: what a start costs is paid once.
import { commands } from '../../src/cli/commands.ts';
import { dispatch } from '../../src/cli/dispatch.ts';
import type { Ended } from './reconverge.ts';

export interface Call {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

process.on('message', async (call: Call) => process.send?.(await answer(call)));
process.on('disconnect', () => process.exit());

async function answer({ words, cwd, env }: Call): Promise<Ended> {
  const [name, ...rest] = words;
  const entry = commands.find((command) => command.name === name);
  if (entry === undefined) throw new Error(`there is no command "${name}"`);
  process.chdir(cwd);
  process.env = env;
  const stdout = hear(process.stdout);
  const stderr = hear(process.stderr);
  const code = await dispatch(entry, rest);
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Takes what is written until it is asked for it. */
function hear(stream: NodeJS.WriteStream): () => string {
  let heard = '';
  stream.write = (text: string | Uint8Array) => {
    heard += String(text);
    return true;
  };
  return () => {
    stream.removeAllListeners('error');
    return heard;
  };
}
