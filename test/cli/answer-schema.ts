// Checks JSON answers of the command line against their schemas.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { answers, definitions, refused } from '../../src/cli/answers/answers.schema.ts';
import { findCommand } from '../../src/cli/commands.ts';

const ajv = new Ajv2020({ strict: false, allErrors: false });
const validators = new Map<string, readonly ValidateFunction[]>();

function validatorsOf(command: string): readonly ValidateFunction[] {
  const known = validators.get(command);
  if (known !== undefined) return known;
  const schemas = [...(answers[command] ?? []).map(({ schema }) => schema), refused];
  const made = schemas.map((schema) => ajv.compile(JSON.parse(JSON.stringify({ ...schema, $defs: definitions }))));
  validators.set(command, made);
  return made;
}

/** Expects one of the answers in the command's schema, or a refusal. */
export function expectAnswer(command: string, answer: unknown): void {
  const faults = validatorsOf(command).flatMap((validate) =>
    validate(answer)
      ? []
      : [(validate.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))],
  );
  if (faults.length < validatorsOf(command).length) return;
  expect({ command, keys: typeof answer === 'object' ? Object.keys(answer ?? {}) : answer, faults }).toBe(
    'an answer of its schema',
  );
}

/** Checks every JSON document on standard output of a call with `--json`: a single document, or one per line. */
export function expectAnswers(words: readonly string[], stdout: string): void {
  const name = findCommand(words)?.entry.name;
  if (name === undefined || !words.includes('--json') || words.includes('--result') || stdout.trim() === '') return;
  for (const answer of documentsIn(stdout)) expectAnswer(name, answer);
}

function documentsIn(stdout: string): readonly unknown[] {
  try {
    return [JSON.parse(stdout)];
  } catch {
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}
