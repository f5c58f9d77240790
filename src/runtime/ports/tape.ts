// The tape of a run: a cassette file that is replayed, or one that is being recorded.
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FILE_MISSING, fileReason } from '../../base/file-reason.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type Cassette, type Exchange, type Player, playerOf } from '../../llm/cassette.ts';
import { whyNoJson } from '../../template/parse/json-fault.ts';

export interface Tape {
  /** Answers instead of models and capabilities. */
  readonly player?: Player;
  readonly keep?: (exchange: Exchange) => void;
  /** Writes the kept exchanges to their file, each as `clean` returns it. */
  readonly save?: (clean?: (exchange: Exchange) => Exchange) => Promise<void>;
}

interface TapeFiles {
  readonly record?: string;
  readonly replay?: string;
}

const MOST_CHARACTERS = 100_000_000;

/** Issues: CASSETTE_UNREADABLE, CASSETTE_OTHER_TEMPLATE, CASSETTE_TWO. */
export async function openTape({ record, replay }: TapeFiles, template: string, folder: string): Promise<Result<Tape>> {
  if (record !== undefined && replay !== undefined) {
    return bad([issue('CASSETTE_TWO', 'a run is either recorded or replayed', { hint: 'leave one out' })]);
  }
  if (replay !== undefined) {
    const read = await readCassette(replay, template, folder);
    return read.ok ? good({ player: playerOf(read.value) }) : read;
  }
  if (record === undefined) return good({});
  const file = resolve(folder, record);
  const before = await readCassette(record, template, folder);
  if (!before.ok && !before.error.every(isMissing)) return before;
  const exchanges: Exchange[] = before.ok ? [...before.value.exchanges] : [];
  const head = before.ok ? before.value : { cassette: 1 as const, template };
  return good({
    keep: (exchange) => {
      exchanges.push(exchange);
    },
    save: oneAtATime((clean) => writeCassette(file, { ...head, exchanges: exchanges.map(clean) })),
  });
}

type Clean = (exchange: Exchange) => Exchange;

/** Calls during a save share one later save. */
function oneAtATime(write: (clean: Clean) => Promise<void>): (clean?: Clean) => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  return (clean = (exchange) => exchange) => {
    const begin = (): Promise<void> => {
      next = undefined;
      return write(clean);
    };
    next ??= last = last.then(begin, begin);
    return next;
  };
}

function isMissing({ message }: Issue): boolean {
  return message.endsWith(FILE_MISSING);
}

async function readCassette(file: string, template: string, folder: string): Promise<Result<Cassette>> {
  let text: string;
  try {
    text = await readFile(resolve(folder, file), 'utf8');
  } catch (thrown) {
    return unreadable(file, fileReason(thrown));
  }
  if (text.length > MOST_CHARACTERS) return unreadable(file, `it has more than ${MOST_CHARACTERS} characters`);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return unreadable(file, whyNoJson(text));
  }
  if (!isCassette(value)) return unreadable(file, 'it is no cassette of version 1');
  if (value.template !== template) {
    return bad([
      issue('CASSETTE_OTHER_TEMPLATE', `"${file}" is a recording of "${value.template}", not of "${template}"`, {
        hint: 'record this template: reconverge run TEMPLATE --record FILE',
      }),
    ]);
  }
  return good(value);
}

function isCassette(value: unknown): value is Cassette {
  return (
    isJsonObject(value) &&
    value.cassette === 1 &&
    typeof value.template === 'string' &&
    isJsonArray(value.exchanges) &&
    value.exchanges.every(isExchange)
  );
}

const kinds: ReadonlySet<Json | undefined> = new Set<Exchange['kind']>(['model', 'embeddings', 'capability']);

function isExchange(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { kind, name, request, outcome } = value;
  const isKnown = kinds.has(kind) && typeof name === 'string' && request !== undefined;
  return isKnown && isJsonObject(outcome) && (outcome.value !== undefined || isJsonObject(outcome.failure));
}

function unreadable(file: string, why: string): Result<never> {
  return bad([
    issue('CASSETTE_UNREADABLE', `cannot read the cassette "${file}": ${why}`, {
      hint: 'give a file that run --record FILE wrote',
    }),
  ]);
}

/** Writes to another file and renames it, so that the cassette is never half written. */
async function writeCassette(file: string, cassette: Cassette): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}.part`;
  const before = await stat(file).catch(() => undefined);
  // Prompts and results are private; permissions that a user has set on the file are kept.
  await writeFile(beside, `${JSON.stringify(cassette, null, 2)}\n`, { mode: 0o600 });
  if (before !== undefined) await chmod(beside, before.mode & 0o777);
  await rename(beside, file);
}
