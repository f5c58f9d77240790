// Finds the capability of a task: named, proven by experience, chosen by a model, certain by words, or left to a person.
import { defined } from '../../base/json.ts';
import { isMutating } from '../../contract/declaration.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { type Experience, provenFor } from '../experience.ts';
import type { PerformerChoice } from '../intent.ts';
import { type Candidate, type Match, matchGoal, type Similarities, vetoFor } from '../match/match.ts';
import { shapeOfIntent } from '../split/shape.ts';
import type { Task } from '../split/task.ts';
import type { TaskContext } from './task-context.ts';

type ChoiceSources = Pick<TaskContext, 'capabilities' | 'learned' | 'alike' | 'choices'>;

export type CapabilityMatch =
  | { readonly kind: 'one'; readonly capability: CapabilityLine; readonly chosen: PerformerChoice }
  /** Words do not decide: a person chooses one of the names, or none. */
  | {
      readonly kind: 'open';
      readonly names: readonly string[];
      /** One of them matches the task's verb and object. */
      readonly isDeed: boolean;
      readonly chosen: PerformerChoice;
    }
  | { readonly kind: 'none'; readonly nearest: readonly string[]; readonly why?: string };

/** The most choices in a question to a person. */
const ASKED = 5;
const SHOWN = 3;

export function capabilityFor(task: Task, { capabilities, learned, alike, choices }: ChoiceSources): CapabilityMatch {
  const { description } = task;
  const match = matchOf(task, capabilities, alike?.get(description));
  const { candidates } = match;
  const how: Pick<PerformerChoice, 'candidates' | 'learned'> = {
    candidates: candidates.slice(0, SHOWN).map(toldOf),
    ...taught(candidates, learned),
  };
  const one = (name: string | undefined, by: PerformerChoice['by'], rest = how): CapabilityMatch | undefined => {
    const capability = name === undefined ? undefined : capabilities.find((each) => each.name === name);
    return capability && { kind: 'one', capability, chosen: { by, capability: capability.name, ...rest } };
  };
  const { certain } = match;
  const named = namedBy(task, capabilities)?.name ?? (certain?.by === 'name' ? certain.name : undefined);
  // The name may come from a model that decomposed the goal, so the veto still applies.
  const forbidden = named !== undefined && vetoFor(description, named, capabilities) !== undefined;
  const known = forbidden ? undefined : one(named, 'named', {});
  const before = known ?? one(provenIn(task, candidates, capabilities, learned), 'proven');
  if (before !== undefined) return before;
  const choice = choices?.get(description);
  if (choice?.kind === 'none') return { kind: 'none', nearest: nearest(candidates), ...defined({ why: choice.why }) };
  const chosen = choice?.kind === 'capability' ? one(choice.name, 'model') : undefined;
  const found = chosen ?? (choice === undefined ? one(certain?.name, 'words') : undefined);
  if (found !== undefined) return found;
  const open = candidates.filter(({ veto }) => veto === undefined);
  const names = [...new Set([...(forbidden ? [named] : []), ...open.map(({ name }) => name)])].slice(0, ASKED);
  if (names.length === 0) return { kind: 'none', nearest: nearest(candidates) };
  const isSaid = choice !== undefined || forbidden;
  const isDeed = isSaid || open.some(({ does, isAbout }) => does && isAbout);
  return { kind: 'open', names, isDeed, chosen: { by: 'person', ...how } };
}

export function namedBy({ names }: Task, capabilities: readonly CapabilityLine[]): CapabilityLine | undefined {
  const [name] = names;
  return capabilities.find((each) => each.name === name);
}

/** Matches the task, or its order for one item. Without certainty, paths and links are spelled out: profiling `orders.csv` means profiling a CSV file. */
function matchOf(task: Task, capabilities: readonly CapabilityLine[], alike: Similarities | undefined): Match {
  const said = task.item ?? task.description;
  const plain = matchGoal(said, capabilities, { alike });
  const spelt = spelled(said, task);
  if (plain.certain !== undefined || spelt === said) return plain;
  const other = matchGoal(spelt, capabilities, { alike });
  return other.certain === undefined ? plain : other;
}

/** Names of file kinds in capability names, by file ending. */
const kindOf: Readonly<Record<string, string>> = {
  tsv: 'csv',
  jsonl: 'json',
  ndjson: 'json',
  log: 'text',
  md: 'text',
  txt: 'text',
  db: 'sql',
  sqlite: 'sql',
};

function spelled(said: string, { parameters: { paths = [], links = [] } }: Task): string {
  const files = paths.reduce((text, path) => text.replace(path, `${kindOfFile(path)} file`), said);
  return links.reduce((text, link) => text.replace(link, 'http'), files);
}

function kindOfFile(path: string): string {
  const end = /\.([a-z]{2,6})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(kindOf, end) ? (kindOf[end] ?? end) : end;
}

/** The capability that experience proves, unless it is vetoed; a mutating one must share a word with the task. */
function provenIn(
  { description, item = description }: Task,
  candidates: readonly Candidate[],
  capabilities: readonly CapabilityLine[],
  learned: Experience | undefined,
): string | undefined {
  const proven = provenFor(learned, shapeOfIntent(item));
  const candidate = candidates.find(({ name }) => name === proven);
  if (candidate !== undefined) return candidate.veto === undefined ? proven : undefined;
  const line = capabilities.find(({ name }) => name === proven);
  return line === undefined || isMutating(line) ? undefined : proven;
}

function toldOf({ name, score, alike, veto }: Candidate) {
  return { name, score, ...defined({ alike, veto }) };
}

function taught(candidates: readonly Candidate[], learned: Experience | undefined): { readonly learned?: string } {
  const said = candidates.slice(0, SHOWN).flatMap(({ name }) => {
    const tally = Object.hasOwn(learned?.capabilities ?? {}, name) ? learned?.capabilities[name] : undefined;
    return tally === undefined ? [] : [`${name} succeeded ${tally.succeeded} times of ${tally.tries}`];
  });
  return said.length === 0 ? {} : { learned: said.join('; ') };
}

function nearest(candidates: readonly Candidate[]): readonly string[] {
  return candidates.slice(0, SHOWN).map(({ name, veto }) => (veto === undefined ? name : `${name} (${veto})`));
}
