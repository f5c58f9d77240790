// Tools for tests of capabilities: a temporary folder and a call context.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Failure } from '../../src/base/failure.ts';
import type { Json } from '../../src/base/json.ts';
import { callCapability } from '../../src/capabilities/call.ts';
import type { CallContext, Capability } from '../../src/capabilities/capability.ts';
import { clarify } from '../../src/capabilities/clarify.ts';
import { confine } from '../../src/capabilities/file-access.ts';
import { reach } from '../../src/capabilities/http/access.ts';
import { logTo } from '../../src/capabilities/log.ts';
import { contractOf } from '../../src/contract/contract.ts';

/** A folder that is gone after the test, with these files in it. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'reconverge-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export function contextIn(base: string, changes: Partial<CallContext> = {}): CallContext {
  return {
    signal: new AbortController().signal,
    idempotencyKey: 'run_1/step#1',
    attempt: 1,
    delivery: 1,
    run: { id: 'run_1' },
    step: 'step',
    attachments: [],
    files: confine(['.'], base),
    http: reach(undefined),
    log: logTo(() => {}),
    secret: (name) => name,
    env: () => undefined,
    clarify,
    ...changes,
  };
}

/** The result, checked against the capability's own output contract as the engine does. */
export async function resultFrom(capability: Capability, input: Json, base: string): Promise<Json> {
  const called = await callCapability(capability, input, contextIn(base));
  if (!called.ok) throw new Error(`${called.error.code}: ${called.error.message}`);
  const checked = contractOf(capability.declaration.output ?? {}).check(called.value);
  if (!checked.ok) throw new Error(`output: ${checked.error.map(({ message }) => message).join('; ')}`);
  return called.value;
}

export async function failureFrom(capability: Capability, input: Json, base: string): Promise<Failure> {
  const called = await callCapability(capability, input, contextIn(base));
  if (called.ok) throw new Error(`it succeeded: ${JSON.stringify(called.value)}`);
  return called.error;
}
