// Carries out the calls of MCP tools: starts runs, reports their status, waits for them, answers their gates.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { settlesWithin } from '../../capabilities/mcp/settles-within.ts';
import { contractOf } from '../../contract/contract.ts';
import type { Verdict } from '../../engine/record/gate-events.schema.ts';
import type { Engine, RunHandle } from '../../runtime/api/engine.ts';
import { storedValue } from '../../view/stored-value.ts';
import { shownSummary, summaryOf } from '../../view/summary.ts';
import type { RunTool } from './run-tools.ts';
import type { ServedTemplate } from './served-templates.ts';

export interface RunService {
  /** Answers a `ToolReply`. Issues: the issues of templates, runs and gates, INPUT_INVALID, TOOL_UNKNOWN. */
  call(tool: string, input: Json, asking: ToolRequest): Promise<Result<JsonObject>>;
  /** Gives running steps a short time to finish, and leaves unfinished runs to be resumed. */
  stop(): Promise<void>;
}

/** Shorter than the two seconds after which an MCP client begins to send signals. */
const PATIENCE: Duration = 1_000;

interface ToolRequest {
  /** Aborted when the client stops waiting; the run continues. */
  readonly signal: AbortSignal;
  readonly by: string;
}

export function runService(
  engine: Engine,
  templates: readonly ServedTemplate[],
  tools: readonly RunTool[],
  { wait }: { readonly wait: Duration },
): RunService {
  /** The runs that this process drives. */
  const handles = new Map<string, RunHandle>();

  function keep(handle: RunHandle): void {
    handles.set(handle.id, handle);
    const forget = (): void => {
      if (handles.get(handle.id) === handle) handles.delete(handle.id);
    };
    handle.done.then(forget, forget);
  }

  async function start({ file, under }: ServedTemplate, input: Json, asking: ToolRequest): Promise<Result<JsonObject>> {
    const template = await engine.load(file);
    if (!template.ok) return template;
    const given = under === undefined ? input : (ownProperty(input, under) ?? null);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const started = await engine.start(template.value, { input: given, by: asking.by, onEvents: () => begin() });
    if (!started.ok) return started;
    keep(started.value);
    // A run cannot be read before its first event is written.
    await Promise.race([begun, started.value.done]);
    return answerOf(started.value.id, wait, asking);
  }

  async function review(input: JsonObject, asking: ToolRequest): Promise<Result<JsonObject>> {
    const { run, gate, verdict, value, why } = input;
    const order = {
      type: 'review',
      gate: String(gate),
      verdict: verdicts.find((each) => each === verdict) ?? 'approve',
      by: asking.by,
      ...defined({ value }),
      ...(typeof why === 'string' ? { why } : {}),
    } as const;
    const ordered = await engine.order(String(run), order);
    if (!ordered.ok) return ordered;
    if (ordered.value.handle !== undefined) keep(ordered.value.handle);
    return answerOf(String(run), wait, asking);
  }

  /** Waits for a run only if this process drives it, and no longer than `patience`. */
  async function answerOf(run: string, patience: Duration, { signal }: ToolRequest): Promise<Result<JsonObject>> {
    const found = engine.read(run);
    if (!found.ok) return found;
    const handle = handles.get(found.value.state.id);
    if (handle !== undefined && patience > 0) await rested(handle, patience, signal);
    const read = engine.read(found.value.state.id);
    if (!read.ok) return read;
    const { state, driven } = read.value;
    const output = state.ended === undefined ? undefined : storedValue(state.ended.output, read.value.blob);
    const told = shownSummary(summaryOf(state, state.ended === undefined && !driven));
    const summary: JsonObject = JSON.parse(JSON.stringify(told));
    return good({ ...summary, ...defined({ output }) });
  }

  return {
    async call(name, input, asking) {
      const template = templates.find(({ tool }) => tool.name === name);
      if (template !== undefined) return start(template, input, asking);
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) return bad([unknownTool(name)]);
      const checked = contractOf(tool.inputSchema).check(input);
      if (!checked.ok) return bad(checked.error.map(({ path, message }) => issue('INPUT_INVALID', message, { path })));
      const given = isJsonObject(checked.value) ? checked.value : {};
      const { run, wait_seconds: seconds } = given;
      switch (name) {
        case 'review_gate':
          return review(given, asking);
        case 'run_result':
          return answerOf(String(run), Number(seconds ?? 0) * 1_000, asking);
        default:
          return answerOf(String(run), 0, asking);
      }
    },
    async stop() {
      const left = [...handles.values()];
      const allDone = Promise.allSettled(left.map(({ done }) => done));
      for (const handle of left) handle.stop();
      if (await settlesWithin(PATIENCE, allDone)) return;
      for (const handle of left) handle.stop();
      await allDone;
    },
  };
}

const verdicts: readonly Verdict[] = ['approve', 'reject', 'answer', 'edit'];

async function rested({ done }: RunHandle, patience: Duration, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener('abort', abort, { once: true });
  await settlesWithin(patience, Promise.race([done, aborted]));
  signal.removeEventListener('abort', abort);
}

function unknownTool(name: string): Issue {
  return issue('TOOL_UNKNOWN', `there is no tool "${name}"`, { hint: 'list the tools: tools/list' });
}
