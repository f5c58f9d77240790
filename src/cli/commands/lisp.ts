// lisp: evaluates expressions of the language that templates and planners use.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { issue } from '../../base/issue.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Call, Command } from '../command.ts';
import type { Answer, ErrorAnswer, evaluate } from '../evaluate.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { refuse } from '../refuse.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [],
  flags: [
    { name: '-e, --eval <expr>', description: 'The expression.' },
    { name: '--data <file>', description: 'A JSON object in a file: its key x is data/x in the expression.' },
    {
      name: '--jsonl',
      description:
        'Read a line { "id", "expr", "context"? } for each expression from standard input; context fills data/. Answer each with a line { "id", "value" } or { "id", "error": { code, message, line, column } }.',
    },
    { name: '--edn', description: 'Answer in EDN: the text itself, or with --jsonl { "id", "edn" }.' },
    jsonFlag,
  ],
  examples: [
    {
      command: `reconverge lisp -e '(sum-by :price data/orders)' --data orders.json`,
      does: 'try an expression on data',
    },
    { command: 'reconverge lisp --jsonl < expressions.jsonl', does: 'evaluate many' },
  ],
  json: {
    'value?': 'what it evaluates to, as JSON',
    'edn?': 'the same as EDN text, with --edn',
    'issues?': '[{ code, severity, message, path, place?, hint? }], when it does not',
  },
  async run(call) {
    const { given } = call;
    const source = given.text('eval');
    if (given.has('jsonl') === (source !== undefined)) throw new UsageError('give either -e EXPR or --jsonl');
    const { evaluate } = await import('../evaluate.ts');
    return source === undefined ? evaluateLines(call, evaluate) : evaluateOne(call, source, evaluate);
  },
};

type Evaluate = typeof evaluate;

function evaluateOne(call: Call, source: string, evaluate: Evaluate): ExitCode {
  const { given, terminal } = call;
  const answer = evaluate(source, readData(given.text('data')), given.has('edn'));
  if ('error' in answer) {
    const { code, message, line, column, hint } = answer.error;
    const place = { file: '-e', line, column, endLine: line, endColumn: column + 1 };
    return refuse(call, [issue(code, message, { place, hint })], { '-e': source });
  }
  if (given.has('json')) terminal.json(answer);
  else terminal.write(`${'edn' in answer ? answer.edn : JSON.stringify(answer.value)}\n`);
  return exitCodes.done;
}

/** An expression that fails is an answer too: only a line that cannot be read makes the command fail. */
async function evaluateLines({ given, terminal }: Call, evaluate: Evaluate): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const request = readRequest(line);
    if (request === undefined) code = exitCodes.issues;
    terminal.jsonLine(answerTo(request, (expr, data) => evaluate(expr, data, given.has('edn'))));
  }
  return code;
}

function answerTo(request: JsonObject | undefined, answerOf: (expr: string, data: JsonObject) => Answer): JsonObject {
  if (request === undefined) {
    const message = 'a line is a JSON object { "id", "expr", "context"? }';
    return { id: null, error: { code: 'LINE_UNREADABLE', message, line: 1, column: 1 } };
  }
  const { id = null, expr, context } = request;
  const answer = answerOf(String(expr), isJsonObject(context) ? context : {});
  if (!('error' in answer)) return { id, ...answer };
  const { code, message, line, column }: ErrorAnswer['error'] = answer.error;
  return { id, error: { code, message, line, column } };
}

function readRequest(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && typeof value.expr === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @throws UsageError */
function readData(file: string | undefined): JsonObject {
  if (file === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--data ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isJsonObject(value))
    throw new UsageError(`--data ${file} is not a JSON object: its keys are the names after data/`);
  return value;
}
