#!/usr/bin/env node
// The entry of the command line: answers --version and --help by itself, and loads a command only when it is called.
import { enableCompileCache } from 'node:module';
import { commands, findCommand } from './commands.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { overview } from './overview.ts';
import { columnsOf, lossOf, surviveErrors } from './terminal.ts';

for (const stream of [process.stdout, process.stderr]) surviveErrors(stream);
const code = await main(process.argv.slice(2));
// A template's module may have left something running: it can change nothing any more while the output is flushed.
process.on('uncaughtException', () => {});
// A stream reports write errors a moment after the write.
process.stdout.write('', () => setImmediate(end));

function end(): void {
  const loss = lossOf(process.stdout);
  if (loss !== undefined) process.stderr.write(`error: the answer could not be written to standard output: ${loss}\n`);
  const last = loss === undefined || code !== exitCodes.done ? code : exitCodes.issues;
  process.stderr.write('', () => process.exit(last));
}

async function main([name, ...rest]: readonly string[]): Promise<ExitCode> {
  switch (name) {
    case undefined:
      process.stderr.write(overview(columnsOf(process.stderr)));
      return exitCodes.usage;
    case '--version':
    case '-V': {
      const { version } = await import('../runtime/journal/package-version.ts');
      process.stdout.write(`${version()}\n`);
      return exitCodes.done;
    }
    case '--help':
    case '-h':
    case 'help':
      if (rest[0] === undefined) {
        process.stdout.write(overview(columnsOf(process.stdout)));
        return exitCodes.done;
      }
      return call([...rest, '--help']);
    default:
      return call([name, ...rest]);
  }
}

async function call(words: readonly string[]): Promise<ExitCode> {
  const found = findCommand(words);
  if (found === undefined) return unknown(words[0] ?? '');
  // The cache halves the start time of every command but the first; Node keeps it in the system's temporary folder.
  enableCompileCache();
  const { dispatch } = await import('./dispatch.ts');
  return dispatch(found.entry, found.rest);
}

async function unknown(name: string): Promise<ExitCode> {
  const { didYouMean } = await import('../base/nearest.ts');
  const known = commands.map((command) => command.name);
  const begun = known.filter((each) => each.startsWith(`${name} `));
  if (begun.length > 0) {
    process.stderr.write(`error: "${name}" is half of a command; there is ${begun.join(' and ')}\n`);
    return exitCodes.usage;
  }
  const hint = didYouMean(name, known) ?? `the commands are ${known.join(', ')}`;
  const what = name.startsWith('-') ? 'flag' : 'command';
  process.stderr.write(`error: there is no ${what} "${name}"; ${hint}\n`);
  return exitCodes.usage;
}
