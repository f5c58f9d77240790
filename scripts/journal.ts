// Writes the journal of a run as a fixture of test/journals: node scripts/journal.ts STORE RUN > test/journals/NAME.json.
import { isJsonObject, type Json } from '../src/base/json.ts';
import { decode, encode } from '../src/engine/codec/event-codec.ts';
import { createEngine } from '../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../src/store/sqlite-journal.ts';
import { standingOf } from '../test/journals/standing.ts';

const [store = '', run = ''] = process.argv.slice(2);
const journal = openSqliteJournal(store);
const engine = createEngine({ journal });
const record = engine.read(run);
if (!record.ok) throw new Error(JSON.stringify(record.error));
const { events, state } = record.value;

/** Removes folders and names of this machine. */
const entries = journal.read(state.id).map((entry) => {
  const recorded = decode(entry);
  const { event } = recorded;
  if (event.type === 'run.started') {
    return encode({ ...recorded, event: { ...event, folder: '/project', by: 'ann' } });
  }
  return 'by' in event ? encode({ ...recorded, event: { ...event, by: 'ann' } }) : entry;
});
const digests = new Set(events.flatMap(({ event }) => textsIn(event as unknown as Json)));
const blobs = [...digests].flatMap((digest) => {
  const text = journal.blob(digest);
  return text === undefined ? [] : [[digest, text] as const];
});
const fixture = { entries, blobs: Object.fromEntries(blobs), standing: standingOf(state) };
process.stdout.write(`${JSON.stringify(fixture, null, 1)}\n`);
await engine.close();

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
