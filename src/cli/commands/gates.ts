// gates: lists the questions to people in one run or in all runs, or shows one gate in full.
import { defined, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { hasExpired } from '../../engine/state/deadline.ts';
import { runTime } from '../../engine/state/run-time.ts';
import type { GateView, RunView } from '../../engine/state/run-view.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { copyable, hanging, type Line, span } from '../../view/line.ts';
import { type OpenGate, openGateLines, openGatesOf } from '../../view/open-gates.ts';
import { storedValue } from '../../view/stored-value.ts';
import type { GatesAnswer, OneGateAnswer } from '../answers/runs.schema.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findGate } from '../gate/find-gate.ts';
import { gateLines, howToAnswer } from '../gate/gate-text.ts';
import { jsonFlag } from '../json-flag.ts';
import { readingRuns } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { commandLine, storeExists, storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

interface ListedGate extends Omit<OpenGate, 'run'> {
  readonly run: string;
  /** The child run that asks, when a step of this run started it. */
  readonly asks?: string;
  readonly template: string;
  /** The input of the call that an approval gate asks about. */
  readonly input?: Json;
}

/** At most this many characters of the call's input are shown; they tell apart gates with the same question. */
const SHOWN = 100;

export const command: Command = {
  arguments: [
    { name: '[RUN]', description: "The run's id, a unique beginning of it, or latest; by default all runs." },
    { name: '[GATE]', description: "The gate's id: show this gate in full." },
  ],
  flags: [
    { name: '--plan', description: 'Print only the plan under review, in YAML, to edit it.' },
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge gates', does: 'list all open questions' },
    { command: 'reconverge gates latest g1', does: 'show one question in full, and how to answer it' },
  ],

  async run(call) {
    const [run, gate] = call.given.arguments;
    if (call.given.has('plan') && gate === undefined) throw new UsageError('--plan needs RUN and GATE');
    // A missing default store only means that no run has started, but a store named with --store must exist.
    if (run === undefined && !call.given.has('store') && !storeExists(call.given)) return list(call, []);
    return readingRuns(call, async (engine) => {
      if (run === undefined) return list(call, askedIn(engine));
      const record = engine.read(run);
      if (!record.ok) return refuse(call, record.error);
      if (gate === undefined) return list(call, askedBy(engine, record.value));
      const found = findGate(engine, record.value, gate);
      return found.ok ? show(call, found.value.record, found.value.gate) : refuse(call, found.error);
    });
  },
};

/** The questions of a child run that waits only for people are listed once, under its parent run. */
function askedIn(engine: Engine): readonly ListedGate[] {
  const all = engine
    .runs()
    .filter(({ gates }) => gates > 0)
    .flatMap(({ id }) => {
      const record = engine.read(id);
      return record.ok ? askedBy(engine, record.value) : [];
    });
  const told = new Set(all.flatMap(({ asks }) => asks ?? []));
  return all.filter(({ run, asks }) => asks !== undefined || !told.has(run));
}

function askedBy(engine: Engine, record: RunRecord): readonly ListedGate[] {
  const { state, template } = record;
  return openGatesOf(state).map(({ run: asks, ...gate }) => {
    const input = inputOf(engine, record, gate);
    return {
      run: state.id,
      template: template.name,
      ...gate,
      ...defined({ asks, input }),
    };
  });
}

function inputOf(engine: Engine, record: RunRecord, { gate: id, kind }: OpenGate): Json | undefined {
  const found = kind === 'approval' ? findGate(engine, record, id) : undefined;
  return found?.ok === true ? ownProperty(contextOf(found.value.record, found.value.gate), 'input') : undefined;
}

function askedLines(asked: ListedGate): readonly Line[] {
  const { run: _, asks, ...gate } = asked;
  const lines = openGateLines([asks === undefined ? gate : { ...gate, run: asks }], Date.now());
  if (asked.input === undefined) return lines;
  const text = JSON.stringify(asked.input);
  return [...lines, [span('    '), hanging(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text, 'dim')]];
}

function list({ given, terminal }: Call, gates: readonly ListedGate[]): ExitCode {
  if (given.has('json')) terminal.json({ gates } satisfies GatesAnswer);
  else if (gates.length === 0) terminal.say([[span('nobody is asked anything')]]);
  else {
    const runs = [...new Set(gates.map(({ run }) => run))];
    terminal.print(
      runs.flatMap((run) => {
        const asked = gates.filter((gate) => gate.run === run);
        const head: Line = [span(`run ${run}`, 'strong'), span(` ${asked[0]?.template ?? ''}`)];
        return [head, ...asked.flatMap(askedLines)];
      }),
    );
    const first = commandLine(given, 'gates', runs[0] ?? '', gates[0]?.gate ?? '');
    terminal.say([[span('see one whole: ', 'dim'), copyable(first, 'dim')]]);
  }
  return exitCodes.done;
}

async function show(call: Call, record: RunRecord, gate: GateView): Promise<ExitCode> {
  const { given, terminal } = call;
  if (given.has('plan')) return showPlan(call, contextOf(record, gate));
  const answers = gate.end === undefined ? waysOut(given, record.state, gate) : [];
  if (given.has('json')) terminal.json({ ...whole(record, gate), answers } satisfies OneGateAnswer);
  else {
    terminal.print(await gateLines(record, gate));
    terminal.say(
      answers.length === 0
        ? []
        : [[span('to go on:', 'dim')], ...answers.map((each): Line => [span('  '), copyable(each, 'dim')])],
    );
  }
  return exitCodes.done;
}

/** After a gate's deadline only the run itself can continue. */
function waysOut(given: ParsedArguments, state: RunView, gate: GateView): readonly string[] {
  return hasExpired(gate, runTime(state, Date.now()))
    ? [commandLine(given, 'resume', state.id)]
    : howToAnswer(given, state.id, gate);
}

function whole(record: RunRecord, gate: GateView): Omit<OneGateAnswer, 'answers'> {
  const { id, kind, step, holds, prompt, decision, openedAt, expiresAt, onExpiry, end } = gate;
  const context = contextOf(record, gate);
  return {
    run: record.state.id,
    template: record.template.name,
    gate: id,
    kind,
    step,
    holds: [...holds],
    prompt,
    decision,
    ...defined({ context }),
    since: openedAt,
    ...defined({ until: expiresAt, onExpiry: expiresAt === undefined ? undefined : onExpiry }),
    ...defined({ end }),
  };
}

function contextOf(record: RunRecord, { context }: GateView): Json | undefined {
  return context === undefined ? undefined : storedValue(context, record.blob);
}

async function showPlan({ terminal }: Call, context: Json | undefined): Promise<ExitCode> {
  const plan = isJsonObject(context) ? context.plan : undefined;
  if (plan === undefined) throw new UsageError('this gate is not about a plan');
  const { stringify } = await import('yaml');
  terminal.write(stringify(plan, { lineWidth: 100 }));
  return exitCodes.done;
}
