// Starts a run: records its template, which never changes, and its input.

import { digestOfText } from '../../base/digest.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { templateText } from '../codec/template-codec.ts';
import type { CommandOf } from '../record/command.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import { type Batch, emit, store } from '../state/batch.ts';

export function startRun(
  batch: Batch,
  {
    run,
    template,
    input,
    folder,
    by,
    reuse = [],
    given = {},
    learned,
    traceparent,
    tracestate,
    parent,
  }: CommandOf<'start-run'>,
): Issue | undefined {
  const text = templateText(template);
  const digest = digestOfText(text);
  batch.blobs.push({ digest, text });
  emit(batch, 0, {
    type: 'run.started',
    run,
    template: digest,
    input: store(batch, input),
    folder,
    by,
    ...(reuse.length === 0 ? {} : { reuse }),
    ...(Object.keys(given).length === 0 ? {} : { given: kept(batch, given) }),
    // The value is plain JSON, although its type does not show that.
    ...defined({
      learned: learned === undefined ? undefined : store(batch, JSON.parse(JSON.stringify(learned))),
      traceparent,
      tracestate,
      parent,
    }),
  });
  return undefined;
}

function kept(batch: Batch, given: Readonly<Record<string, Json>>): Readonly<Record<string, StoredValue>> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, store(batch, value)] as const));
}
