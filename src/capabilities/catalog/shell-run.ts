// shell.run: runs a program with a list of arguments; granted only to templates that name it.

import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { type CallContext, defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { decode } from '../formats/decode.ts';
import { windowsVariables } from '../process-group.ts';
import { runProgram } from '../run-program.ts';

const DEFAULT_BYTES = 100_000;
const MOST_BYTES = 10_000_000;
const DEFAULT_TIME: Duration = 25_000;
/** Environment variables that every program gets, besides those that the call sets. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', ...windowsVariables];

export const shellRun = defineCapability({
  name: 'shell.run',
  description: 'Run a program on this machine with a list of arguments, without a shell.',
  input: {
    type: 'object',
    required: ['program'],
    additionalProperties: false,
    properties: {
      program: { type: 'string', minLength: 1, description: 'Program: git' },
      args: { type: 'array', items: { type: 'string' }, description: 'Arguments: ["log", "-1"]' },
      cwd: {
        type: 'string',
        description: 'Working folder under one of the granted roots; default the folder of the run.',
      },
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Environment variables, besides PATH, HOME and the like.',
      },
      input: { type: 'string', description: 'Standard input; default none.' },
      ok_codes: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Exit codes that count as success; default 0.',
      },
      max_bytes: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_BYTES,
        description: `Most bytes to keep of each output; default ${DEFAULT_BYTES}.`,
      },
      timeout_ms: {
        type: 'integer',
        minimum: 1,
        maximum: 86_400_000,
        description: `Timeout in milliseconds; default ${DEFAULT_TIME}.`,
      },
    },
  },
  output: {
    type: 'object',
    required: ['code', 'stdout', 'stderr', 'complete'],
    properties: {
      code: { type: 'integer' },
      stdout: { type: 'string' },
      stderr: { type: 'string' },
      complete: { type: 'boolean', description: 'False when an output was longer than max_bytes.' },
    },
  },
  effects: ['system'],
  tags: ['shell'],
  cost: { seconds: 1 },
  async run({ program, args = [], cwd = '.', env = {}, input = '', ok_codes = [0], ...limits }, ctx) {
    const inherited = INHERITED.flatMap((name) => {
      const value = ctx.env(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const { code, stdout, stderr, complete } = await runProgram({
      program,
      args,
      cwd: await ctx.files.resolve(cwd, 'read'),
      env: { ...Object.fromEntries(inherited), ...contextOf(ctx), ...env },
      input,
      maxBytes: limits.max_bytes ?? DEFAULT_BYTES,
      timeout: limits.timeout_ms ?? DEFAULT_TIME,
      signal: ctx.signal,
      onErrorLine: ctx.log.from('stderr').info,
    });
    if (code === null || !ok_codes.includes(code)) throw failed(program, code, stderr);
    return { code, stdout: decode(stdout), stderr: decode(stderr), complete };
  },
});

/** Programs with OpenTelemetry continue the trace that these variables name. */
function contextOf({ traceparent, tracestate }: CallContext): Readonly<Record<string, string>> {
  return defined({ TRACEPARENT: traceparent, TRACESTATE: tracestate });
}

const SHOWN = 500;

function failed(program: string, code: number | null, stderr: Buffer): CapabilityError {
  const said = decode(stderr).trim().slice(-SHOWN);
  const how = code === null ? 'was ended by a signal' : `ended with ${code}`;
  return new CapabilityError('SHELL_FAILED', `"${program}" ${how}${said === '' ? '' : `: ${said}`}`);
}
