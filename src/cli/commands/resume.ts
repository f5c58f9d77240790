// resume: continues an interrupted or paused run until it rests, unless another process drives it.
import { historyOf } from '../../view/history.ts';
import type { Command } from '../command.ts';
import { drive, driveFlags, handleOf, unsigned } from '../drive/drive.ts';
import { eventsDriven } from '../drive/drive-order.ts';
import { allExits } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { orderer, withRuns } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [runArgument],
  flags: [storeFlag, ...driveFlags, jsonFlag],
  examples: [{ command: 'reconverge resume latest', does: 'continue the last run; completed steps do not run again' }],
  exits: allExits,
  run: (call) =>
    withRuns(call, async (engine) => {
      const before = engine.read(call.given.arguments[0] ?? '');
      if (!before.ok) return refuse(call, before.error);
      const { state, driven } = before.value;
      return drive(call, engine, historyOf(eventsDriven(engine, before.value)), async (options) =>
        driven && state.status === 'paused'
          ? engine.order(state.id, { type: 'resume', by: orderer() }, unsigned(options))
          : handleOf(await engine.resume(state.id, options)),
      );
    }),
};
