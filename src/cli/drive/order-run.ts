// Builds commands that leave an order for the process that drives a run.
import { defined } from '../../base/json.ts';
import { span } from '../../view/line.ts';
import type { PostedAnswer } from '../answers/run-control.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { orderer, withRuns } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { storeFlag } from '../store-file.ts';

export function orderCommand(type: 'cancel' | 'pause', examples: Command['examples'], driven: string): Command {
  return {
    arguments: [runArgument],
    flags: [
      { name: '--why <text>', description: 'The reason, kept with the run.' },
      storeFlag,
      { name: '--quiet', description: 'Print nothing unless the order is refused.' },
      jsonFlag,
    ],
    examples,

    run: (call) => order(call, type, driven),
  };
}

async function order(call: Call, type: 'cancel' | 'pause', driven: string): Promise<ExitCode> {
  const { given, terminal } = call;
  return withRuns(call, async (engine) => {
    const record = engine.read(given.arguments[0] ?? '');
    if (!record.ok) return refuse(call, record.error);
    const { id } = record.value.state;
    const why = given.text('why');
    const done = await engine.order(id, { type, by: orderer(), ...defined({ why }) });
    if (!done.ok) return refuse(call, done.error);
    const now = engine.runs().find((run) => run.id === id);
    const answer = { run: id, order: type, driven: done.value.handle === undefined, status: now?.status ?? 'unknown' };
    if (given.has('json')) terminal.json(answer satisfies PostedAnswer);
    else if (!given.has('quiet'))
      terminal.print([[span(answer.driven ? `${id}: ${driven}` : `${id}: ${answer.status}`)]]);
    return exitCodes.done;
  });
}
