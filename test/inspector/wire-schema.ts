// Checks the server's responses against the schemas of its messages.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import * as wire from '../../src/inspector/wire.schema.ts';

const ajv = new Ajv2020({ strict: false });

const messages = messageValidators();
const validators: Readonly<Record<string, readonly ValidateFunction[]>> = {
  'GET gates': [compiled(wire.gateForm), compiled(wire.refusal)],
  'GET logs': [compiled(wire.logsAnswer), compiled(wire.refusal)],
  'GET diff': [compiled(wire.comparison), compiled(wire.refusal)],
  'POST gates': [compiled(wire.postReply)],
  'POST orders': [compiled(wire.postReply)],
  'POST forks': [compiled(wire.postReply)],
};

function compiled(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify({ ...schema, $defs: wire.definitions })));
}

function messageValidators(): Readonly<Record<string, ValidateFunction>> {
  const { properties } = JSON.parse(JSON.stringify(wire.streamMessages)) as { properties: Record<string, object> };
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, compiled(schema)]));
}

function expectOneOf(what: string, allowed: readonly ValidateFunction[], data: unknown): void {
  const faults = allowed.flatMap((validate) => (validate(data) ? [] : [validate.errors]));
  if (faults.length === allowed.length) expect({ what, data, faults }).toBe('a message of its schema');
}

/** `path` is for example `/TOKEN/api/runs/ID/gates/GATE`. Responses that are not JSON are not messages. */
export function expectReply(method: string, path: string, type: unknown, text: string): void {
  const [, what] = /\/api\/runs\/\w+\/(gates|logs|diff|orders|forks)\b/.exec(path) ?? [];
  const allowed = what === undefined ? undefined : validators[`${method} ${what}`];
  if (allowed === undefined || !String(type).startsWith('application/json')) return;
  expectOneOf(`${method} ${what}`, allowed, JSON.parse(text));
}

export function expectMessage(name: string, data: unknown): void {
  const validate = messages[name];
  if (validate !== undefined) expectOneOf(name, [validate], data);
}
