// lisp: evaluates expressions of the language that templates and planners use: one expression, many lines, or a session.
import { createInterface } from 'node:readline';
import { issue } from '../../base/issue.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import type { Answer, ErrorAnswer, EvaluateOptions } from '../lisp/evaluate.ts';
import { refuse } from '../refuse.ts';
import { jsonOf, readText } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    {
      name: '[repl]',
      description: 'Read typed or piped forms; the default without -e and --jsonl.',
    },
  ],
  flags: [
    { name: '-e, --eval <expr>', description: 'Evaluate this expression.' },
    { name: '--data <file>', description: 'A file with a JSON object; its key x is data/x in expressions.' },
    {
      name: '--jsonl',
      description:
        'Read a line { "id", "expr", "context"? } for each expression from standard input; context fills data/. Answer each with a line { "id", "value" } or { "id", "error": { code, message, line, column } }.',
    },
    { name: '--edn', description: 'Answer in EDN: the text itself, or with --jsonl { "id", "edn" }.' },
    {
      name: '--limit <name=amount>',
      description: 'A limit of the language, such as fuel=20k; reconverge docs lisp#limits lists all.',
      repeats: true,
    },
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge lisp --data orders.json', does: 'try things out in a REPL' },
    {
      command: `reconverge lisp -e '(sum-by :price data/orders)' --data orders.json`,
      does: 'try an expression on data',
    },
    { command: 'reconverge lisp --jsonl < expressions.jsonl', does: 'evaluate many expressions' },
  ],
  async run(call) {
    const { given } = call;
    const source = given.text('eval');
    const [mode] = given.arguments;
    if (mode !== undefined && mode !== 'repl') throw new UsageError(`there is no lisp ${mode}; give -e '${mode}'`);
    const ways = [source !== undefined, given.has('jsonl'), mode !== undefined].filter(Boolean);
    if (ways.length > 1) throw new UsageError('give one of -e EXPR, --jsonl and repl');
    const { readLimits } = await import('../lisp/limits.ts');
    const options: EvaluateOptions = { edn: given.has('edn'), limits: readLimits(given.all('limit')) };
    const data = readData(given.text('data'));
    if (source === undefined && !given.has('jsonl')) {
      const { repl } = await import('../lisp/repl.ts');
      return repl(call, data, options.limits);
    }
    const { evaluate } = await import('../lisp/evaluate.ts');
    const answerOf: AnswerOf = (expr, context) => evaluate(expr, context, options);
    return source === undefined ? answerLines(call, answerOf) : answerOne(call, source, answerOf(source, data));
  },
};

type AnswerOf = (expr: string, data: JsonObject) => Answer;

function answerOne(call: Call, source: string, answer: Answer): ExitCode {
  const { given, terminal } = call;
  if ('error' in answer) {
    const { code, message, line, column, hint } = answer.error;
    const place = { file: '-e', line, column, endLine: line, endColumn: column + 1 };
    return refuse(call, [issue(code, message, { place, hint })], { '-e': source });
  }
  if (given.has('json')) terminal.json(answer);
  else terminal.write(`${'edn' in answer ? answer.edn : JSON.stringify(answer.value)}\n`);
  return exitCodes.done;
}

/** An expression that fails is still an answer; only a line that cannot be read makes the command fail. */
async function answerLines({ terminal }: Call, answerOf: AnswerOf): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const request = readRequest(line);
    if (request === undefined) code = exitCodes.issues;
    terminal.jsonLine(answerTo(request, answerOf));
  }
  return code;
}

function answerTo(request: JsonObject | undefined, answerOf: AnswerOf): JsonObject {
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
  const value = jsonOf(readText(file, '--data '), `--data ${file}`);
  if (!isJsonObject(value))
    throw new UsageError(`--data ${file} is not a JSON object: its keys are the names after data/`);
  return value;
}
