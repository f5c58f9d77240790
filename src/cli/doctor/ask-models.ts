// doctor --models: asks each model profile one small question of each kind, and shows what it can do.
import { type Dialects, dialects } from '../../llm/dialect.ts';
import { mostOfProbe, type ProbeRow } from '../../llm/probe/probe-model.ts';
import { refusalStore } from '../../runtime/perform/refusal-store.ts';
import { boundary } from '../../runtime/ports/boundary.ts';
import type { Journal } from '../../store/journal.ts';
import { StoreRefused } from '../../store/store-refused.ts';
import { span } from '../../view/line.ts';
import type { Call } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStore } from '../open-store.ts';
import { refuse } from '../refuse.ts';
import { type AskedProfile, askProfile, isUsable } from './ask-profile.ts';
import { doctorAnswer } from './doctor-answer.ts';
import { addressOf } from './model-address.ts';
import { boundLine, headLine, rowLine, sumLines } from './probe-text.ts';
import { profilesToAsk } from './profiles-to-ask.ts';

export async function askModels(call: Call): Promise<ExitCode> {
  const { given, terminal } = call;
  const found = await profilesToAsk(given);
  if (!found.ok) return refuse(call, found.error);
  const own = boundary(process.env);
  const memory = await openMemory(call);
  try {
    const asked: AskedProfile[] = [];
    for (const [at, each] of found.value.entries()) {
      const address = await addressOf(each, own);
      if (!given.has('json')) terminal.print([...(at > 0 ? [[]] : []), headLine(each, address.server)]);
      // The bound is said before anything is sent, also to machines.
      if (address.canBeAsked) terminal.say([boundLine(each, mostOfProbe(each.profile))]);
      const onAnswer = (row: ProbeRow): void => {
        if (!given.has('json')) terminal.print([rowLine(row)]);
      };
      const one = await askProfile(each, { address, own, known: memory.known, onAnswer });
      asked.push(one);
      if (!given.has('json')) terminal.print(sumLines(one));
    }
    if (given.has('json')) terminal.json(doctorAnswer(asked, memory.journal !== undefined));
    return asked.every(isUsable) ? exitCodes.done : exitCodes.issues;
  } finally {
    await memory.journal?.close();
  }
}

interface Memory {
  readonly known: Dialects;
  /** Absent when the store cannot be written. */
  readonly journal?: Journal;
}

/** Keeps refusals in the store, from which later runs read them. */
async function openMemory({ given, terminal }: Call): Promise<Memory> {
  try {
    const journal = await openStore(given, { access: 'any' });
    if (journal.readOnly !== true) return { journal, known: dialects({ store: refusalStore(journal) }) };
    await journal.close();
    terminal.say([[span('the store cannot be written, so later runs will not know what is found out here', 'warn')]]);
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    terminal.say([[span(`later runs will not know what is found out here: ${error.message} (${error.code})`, 'warn')]]);
  }
  return { known: dialects() };
}
