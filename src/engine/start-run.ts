// Starts a run: the template it will follow for good, and its input.
import { canonicalJson, type Json } from '../base/json.ts';
import type { Issue } from '../base/issue.ts';
import { type Batch, emit, store } from './batch.ts';
import type { CommandOf } from './command.ts';

export function startRun(batch: Batch, { run, template, input, folder, by }: CommandOf<'start-run'>): Issue | undefined {
  batch.blobs.push({ digest: template.digest, text: templateText(template) });
  emit(batch, 0, { type: 'run.started', run, template: template.digest, input: store(batch, input), folder, by });
  return undefined;
}

/** The form in which a run keeps its template. */
function templateText(template: object): string {
  return canonicalJson(JSON.parse(JSON.stringify(template)) as Json);
}
