// Keeps the features that servers of models refuse in the store of the runs, so that later processes do not try them again.
import { isJsonObject } from '../../base/json.ts';
import type { RefusalStore } from '../../llm/dialect.ts';
import type { Journal } from '../../store/journal.ts';

export function refusalStore(journal: Pick<Journal, 'keepNote' | 'note' | 'readOnly'>): RefusalStore {
  return {
    recall: (baseUrl, model) => readRefusals(attempt(() => journal.note(noteId(baseUrl, model)))),
    keep(baseUrl, model, refusals) {
      if (journal.readOnly === true) return;
      attempt(() => journal.keepNote(noteId(baseUrl, model), JSON.stringify(refusals)));
    },
  };
}

/** The query of an address may hold a key, so it is left out. */
function noteId(baseUrl: string, model: string): string {
  return `refusals ${baseUrl.replace(/\?.*$/, '')} ${model}`;
}

/** A store that is full or locked must not end a request: the feature is then tried again later. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function readRefusals(text: string | undefined): Readonly<Record<string, number>> {
  const read: unknown = text === undefined ? undefined : attempt(() => JSON.parse(text));
  if (!isJsonObject(read)) return {};
  return Object.fromEntries(
    Object.entries(read).flatMap(([feature, at]) => (typeof at === 'number' ? [[feature, at] as const] : [])),
  );
}
