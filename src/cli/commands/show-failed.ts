// show --failed: prints the failed steps of a run with their reasons, grouped by cause when there are many.
import { defined } from '../../base/json.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { failureCountText, failureLines, failuresOf } from '../../view/head/failure-list.ts';
import { copyable, span } from '../../view/line.ts';
import { standingOfRun, summaryOf } from '../../view/summary.ts';
import type { ShowFailedAnswer } from '../answers/runs.schema.ts';
import type { Call } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { commandLine } from '../store-file.ts';

export function showFailed({ given, terminal }: Call, { state, driven }: RunRecord): ExitCode {
  const { status, partial, template, failure } = summaryOf(state, state.ended === undefined && !driven);
  const list = failuresOf(state);
  if (given.has('json')) {
    const { id: run } = state;
    const { failures, groups, others } = list;
    terminal.json({
      run,
      template,
      status,
      ...defined({ failure }),
      failures,
      groups,
      others,
    } satisfies ShowFailedAnswer);
    return exitCodes.done;
  }
  const { failures } = list;
  const isTold = failure === undefined || failures.some(({ message }) => failure.message.includes(message));
  const words = failures.length === 0 ? 'no step failed' : failureCountText(list);
  terminal.print([
    [span(`run ${state.id}`, 'strong'), span(`  ${standingOfRun({ status, partial })}: ${words}`)],
    ...(isTold ? [] : [[span(`${failure.code}: ${failure.message}`, 'bad')]]),
    ...failureLines(list, given.has('all') ? undefined : '--all'),
  ]);
  const first = failures.find(({ takenUp }) => takenUp?.outcome !== 'repaired') ?? failures[0];
  if (first !== undefined)
    terminal.say([[span('explain one: ', 'dim'), copyable(commandLine(given, 'why', state.id, first.step), 'dim')]]);
  return exitCodes.done;
}
