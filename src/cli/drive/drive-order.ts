// Builds commands that give a run an order and continue it, here or in the process that drives it.

import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { bad } from '../../base/result.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { historyOf } from '../../view/history.ts';
import type { Call, Command, Flag } from '../command.ts';
import { allExits, type ExitCode } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { orderer, withRuns } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { storeFlag } from '../store-file.ts';
import { drive, driveFlags, unsigned } from './drive.ts';

type Unsigned<T> = T extends unknown ? Omit<T, 'by' | 'why'> : never;

interface OrderInput {
  readonly order: Unsigned<RunOrder>;
  /** Maps an issue to its place in the user's input. */
  readonly place?: (found: Issue) => Issue;
}

/** Reads the order from the call; returns an exit code after it has reported an unreadable order. */
type Read = (call: Call, record: RunRecord, engine: Engine) => Promise<OrderInput | ExitCode>;

interface OrderCommandSpec extends Pick<Command, 'arguments' | 'examples'> {
  readonly flags: readonly Flag[];
  readonly read: Read;
}

/** The command's first argument is the run. */
export function orderCommand({ arguments: words, flags, examples, read }: OrderCommandSpec): Command {
  return {
    arguments: words,
    flags: [
      ...flags,
      { name: '--why <text>', description: 'The reason, kept with the run.' },
      storeFlag,
      ...driveFlags,
      jsonFlag,
    ],
    examples,
    exits: allExits,
    run: (call) =>
      withRuns(call, async (engine) => {
        const record = engine.read(call.given.arguments[0] ?? '');
        if (!record.ok) return refuse(call, record.error);
        const told = await read(call, record.value, engine);
        return typeof told === 'number' ? told : give(call, engine, record.value, told);
      }),
  };
}

function give(call: Call, engine: Engine, record: RunRecord, { order, place }: OrderInput): Promise<ExitCode> {
  const { state } = record;
  const why = call.given.text('why') ?? (order.type === 'review' ? call.given.text('reject') : undefined);
  const signed: RunOrder = { ...order, by: orderer(), ...defined({ why }) };
  return drive(call, engine, historyOf(eventsDriven(engine, record)), async (options) => {
    const ordered = await engine.order(state.id, signed, unsigned(options));
    return ordered.ok || place === undefined ? ordered : bad(ordered.error.map(place));
  });
}

/** The events of the root run, which is the run to drive even if the user named one of its child runs. */
export function eventsDriven(engine: Engine, { root, state, events }: RunRecord): RunRecord['events'] {
  const above = root === state.id ? undefined : engine.read(root);
  return above?.ok === true ? above.value.events : events;
}
