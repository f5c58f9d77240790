// Reads a plan that is written as a graph: nodes that call tools, and links between them.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readCalls } from './calls.ts';
import { readSteps, type WrittenPhase, type WrittenStep } from './phase.ts';
import { nameOfWords } from './step-names.ts';
import { writtenName } from './step-references.ts';

export interface GraphPlan {
  readonly phase: WrittenPhase;
  /** The keys beside nodes and links. */
  readonly rest: JsonObject;
  readonly notes: readonly string[];
}

const NODES = ['task_nodes', 'tool_nodes', 'nodes'];
const LINKS = ['task_links', 'tool_links', 'links', 'edges'];
/** The steps in words that some formats give beside the nodes. */
const IN_WORDS = ['task_steps', 'tool_steps'];
/** Keys of a record in a data set that are no part of its plan. */
const REMARKS = [
  'id',
  'user_request',
  'instruction',
  'cost_time',
  'seed',
  'type',
  'n_tools',
  'sampled_nodes',
  'sampled_links',
];
const SOURCES = ['source', 'from', 'src'];
const TARGETS = ['target', 'to', 'dst'];
const DEPENDENCIES = ['dependencies', 'depends_on', 'requires', 'after', 'deps', 'depends', 'dep'];

export function nodesKeyOf(value: JsonObject): string | undefined {
  return NODES.find((key) => isJsonArray(value[key]) || isJsonObject(value[key]));
}

export function readGraph(value: JsonObject, nodesKey: string, path: readonly PathPart[]): GraphPlan {
  const { [nodesKey]: holder, ...beside } = value;
  const nodes = readSteps(isJsonArray(holder) || isJsonObject(holder) ? holder : [], [...path, nodesKey]);
  const calls = readCalls(nodes.steps, true);
  const linksKey = LINKS.find((key) => Object.hasOwn(beside, key));
  const { [linksKey ?? '']: links = null, ...others } = beside;
  const notes = new Set([
    `"${nodesKey}"${linksKey === undefined ? '' : ` and "${linksKey}"`} as steps`,
    ...calls.notes,
  ]);
  const issues: Issue[] = [...nodes.issues, ...calls.issues];
  const waits = new Map<string, Set<string>>();
  const ends = endsOf(nodes.steps, calls.names);
  listOf(links).forEach((link, index) => {
    const at = [...path, linksKey ?? '', ...(isJsonArray(links) ? [index] : [])];
    for (const [source, target] of pairsOf(link, at, ends, issues)) {
      waits.set(target, new Set([...(waits.get(target) ?? []), source]));
    }
  });
  const steps = calls.steps.map((step) => waitingFor(step, waits));
  return { phase: { steps, issues }, rest: restOf(others, nodesKey, notes), notes: [...notes] };
}

function listOf(value: Json): readonly Json[] {
  if (value === null) return [];
  return isJsonArray(value) ? value : [value];
}

/** The names by which links speak of nodes. */
interface LinkEnd {
  /** The name of the node's step. */
  readonly step: string;
  readonly ids: readonly string[];
  readonly tool?: string;
  readonly index: number;
}

function endsOf(nodes: readonly WrittenStep[], names: readonly (string | undefined)[]): readonly LinkEnd[] {
  return nodes.flatMap(({ value }, index): readonly LinkEnd[] => {
    const own = typeof value === 'string' ? nameOfWords(value) : writtenName(value);
    const step = names[index] ?? own;
    if (step === undefined) return [];
    if (!isJsonObject(value)) return [{ step, ids: [String(value)], index }];
    const ids = ['id', 'label', 'name', 'task_id', 'step_id'].flatMap((key) => textsOf(value[key]));
    const [tool] = ['task', 'tool', 'capability', 'handler', 'action', 'api_name'].flatMap((key) =>
      textsOf(value[key]),
    );
    return [{ step, ids, index, ...defined({ tool }) }];
  });
}

function textsOf(value: Json | undefined): readonly string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** The nodes at an end of a link: by number or label, by tool, or for a number by place where nodes have no numbers. */
function nodesAt(written: Json, ends: readonly LinkEnd[]): readonly LinkEnd[] {
  const end = String(written);
  const byId = ends.filter(({ ids }) => ids.includes(end));
  if (byId.length > 0) return byId;
  const byTool = ends.filter(({ tool }) => tool === end);
  if (byTool.length > 0) return byTool;
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const alike = ends.filter(({ ids, tool = '' }) => [...ids, tool].some((each) => plain(each) === plain(end)));
  if (alike.length > 0) return alike;
  const isNumbered = ends.some(({ ids }) => ids.length > 0);
  return typeof written !== 'number' || isNumbered ? [] : ends.filter(({ index }) => index === written);
}

/** Pairs of names: the step that comes first, and the one that waits for it. */
function pairsOf(
  link: Json,
  at: readonly PathPart[],
  ends: readonly LinkEnd[],
  issues: Issue[],
): readonly (readonly [string, string])[] {
  const written = endsIn(link, at, issues);
  if (written === undefined) return [];
  const [sources, targets] = written.map(({ name, path }) => {
    const found = nodesAt(name, ends);
    if (found.length === 0) issues.push(dangling(String(name), path, ends));
    return found;
  });
  if (sources === undefined || targets === undefined) return [];
  const pairs = sources.flatMap((source) => targets.map((target) => [source, target] as const));
  if (pairs.length <= 1) return pairs.map(([source, target]) => [source.step, target.step]);
  // Several nodes call one tool: whatever was meant, the later node waits for the earlier ones.
  const forward = pairs.filter(([source, target]) => source.index < target.index);
  if (forward.length === 0) issues.push(ambiguous(at));
  return forward.map(([source, target]) => [source.step, target.step]);
}

interface WrittenEnd {
  readonly name: Json;
  readonly path: readonly PathPart[];
}

function endsIn(link: Json, at: readonly PathPart[], issues: Issue[]): readonly WrittenEnd[] | undefined {
  if (typeof link === 'string') {
    const [source, target, more] = link.split(/\s*(?:->|→)\s*/);
    if (source !== undefined && target !== undefined && more === undefined) {
      return [source, target].map((name) => ({ name: name.trim(), path: at }));
    }
  }
  if (isJsonArray(link) && link.length === 2) {
    if (link.every((name) => textsOf(name).length > 0))
      return link.map((name, index) => ({ name, path: [...at, index] }));
  }
  if (isJsonObject(link)) {
    const keys = [SOURCES, TARGETS].flatMap((list) => list.find((key) => textsOf(link[key]).length > 0) ?? []);
    if (keys.length === 2) {
      const strange = Object.keys(link).filter((key) => !keys.includes(key) && key !== 'id');
      issues.push(...strange.map((key) => unknownKey(key, [...at, key])));
      return keys.map((key) => ({ name: link[key] ?? null, path: [...at, key] }));
    }
  }
  issues.push(unreadable(at));
  return undefined;
}

function waitingFor(step: WrittenStep, waits: ReadonlyMap<string, ReadonlySet<string>>): WrittenStep {
  const { value } = step;
  const name = typeof value === 'string' ? nameOfWords(value) : writtenName(value);
  const names = name === undefined ? undefined : waits.get(name);
  if (names === undefined) return step;
  const own = isJsonObject(value) ? value : { name: name ?? '', agent: 'default', description: value };
  const key = DEPENDENCIES.find((each) => Object.hasOwn(own, each)) ?? 'depends_on';
  return {
    ...step,
    value: { ...own, [key]: [...new Set([...listOf(own[key] ?? null), ...names])] },
    written: step.written ?? value,
  };
}

/** Steps in words become the rationale; the other keys of a record of a data set are remarks. */
function restOf(beside: JsonObject, nodesKey: string, notes: Set<string>): JsonObject {
  const isRecord = nodesKey !== 'nodes';
  const words = IN_WORDS.filter((key) => isJsonArray(beside[key]) || typeof beside[key] === 'string');
  const lines = words.flatMap((key) => listOf(beside[key] ?? null)).map(inWords);
  const remarks = Object.keys(beside).filter((key) => isRecord && REMARKS.includes(key));
  for (const key of words) notes.add(`"${key}" as the rationale`);
  for (const key of remarks) notes.add(`"${key}" as a remark`);
  const rest = Object.fromEntries(
    Object.entries(beside).filter(([key]) => !words.includes(key) && !remarks.includes(key)),
  );
  const reason = typeof rest.rationale === 'string' ? [rest.rationale] : [];
  return lines.length === 0 ? rest : { ...rest, rationale: [...reason, ...lines].join('\n') };
}

/** Models also write steps in words as `{ step: 1, description: "…" }`. */
function inWords(line: Json): string {
  if (typeof line === 'string') return line;
  const texts = isJsonObject(line) ? Object.values(line).filter((each) => typeof each === 'string') : [];
  return texts.length === 0 ? JSON.stringify(line) : texts.join(' ');
}

function dangling(name: string, path: readonly PathPart[], ends: readonly LinkEnd[]): Issue {
  const known = ends.slice(0, 5).map(({ ids: [id], tool, step }) => `"${id ?? tool ?? step}"`);
  return issue('DEPENDENCY_UNKNOWN', `a link goes to or from "${name}", and no node is called so`, {
    path,
    hint: known.length === 0 ? 'the graph has no nodes' : `the nodes are ${[...new Set(known)].join(', ')}`,
  });
}

function ambiguous(path: readonly PathPart[]): Issue {
  return issue('DEPENDENCY_UNKNOWN', 'the link names a tool that several nodes call, and none of them fits', {
    path,
    hint: 'give the nodes an "id", and name these in the links',
  });
}

function unknownKey(key: string, path: readonly PathPart[]): Issue {
  return issue('SHAPE_UNKNOWN_KEY', `"${key}" is not a key of a link`, {
    path,
    hint: 'a link has a source and a target',
  });
}

function unreadable(path: readonly PathPart[]): Issue {
  return issue('FRAGMENT_UNREADABLE', 'the link has no source and target', {
    path,
    hint: 'write {"source": "…", "target": "…"}',
  });
}
