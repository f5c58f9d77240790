// A recorded scenario: what a run of a template is given, what people answer in it, and how it must end.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { readMoney } from '../../base/quantity.ts';
import { type Limit, limitable } from '../../budget/amount.ts';
import type { GateKind, Verdict } from '../../engine/record/gate-events.schema.ts';
import type { RestStatus } from '../../runtime/api/run-report.ts';
import {
  choiceAt,
  defined,
  flagAt,
  mapAt,
  numberAt,
  quantityAt,
  textAt,
  wordsAt,
} from '../../template/keys/readers.ts';

export interface Scenario {
  readonly name: string;
  readonly input: JsonObject;
  readonly environment?: string;
  /** Relative to the file of scenarios; absent: capabilities and models are really called. */
  readonly cassette?: string;
  readonly budget: Readonly<Record<string, string>>;
  readonly raise: boolean;
  readonly answers: readonly PersonsAnswer[];
  readonly expect: Expected;
}

export interface PersonsAnswer {
  readonly step?: string;
  readonly kind?: GateKind;
  readonly verdict: Verdict;
  readonly value?: Json;
  readonly why?: string;
}

export interface Expected {
  readonly status: RestStatus;
  readonly partial?: boolean;
  readonly output?: Json;
  readonly results: JsonObject;
  /** At most. */
  readonly spent: Limit;
  readonly replans?: number;
  readonly codes: readonly string[];
}

export interface Scenarios {
  /** Relative to the file; absent: the template of the same name. */
  readonly template?: string;
  readonly scenarios: readonly Scenario[];
}

/** Takes a document that its shape has let through. */
export function scenariosOf(document: Json): Scenarios {
  const raw = isJsonObject(document) ? document : {};
  return defined<Scenarios>({ template: textAt(raw, 'template'), scenarios: mapsAt(raw, 'scenarios').map(scenarioOf) });
}

function scenarioOf(raw: JsonObject): Scenario {
  const budget = Object.entries(mapAt(raw, 'budget') ?? {}).map(([key, limit]) => [key, String(limit)]);
  return defined<Scenario>({
    name: textAt(raw, 'name') ?? '',
    input: mapAt(raw, 'input') ?? {},
    environment: textAt(raw, 'environment'),
    cassette: textAt(raw, 'cassette'),
    budget: Object.fromEntries(budget),
    raise: flagAt(raw, 'raise') ?? false,
    answers: mapsAt(raw, 'answers').map(answerOf),
    expect: expectedOf(mapAt(raw, 'expect') ?? {}),
  });
}

const verdicts: readonly Verdict[] = ['approve', 'reject', 'answer', 'edit'];
const statuses: readonly RestStatus[] = ['completed', 'failed', 'cancelled', 'waiting'];

function answerOf(raw: JsonObject): PersonsAnswer {
  const { value } = raw;
  return defined<PersonsAnswer>({
    step: textAt(raw, 'step'),
    kind: textAt(raw, 'kind') as GateKind | undefined,
    verdict: choiceAt(raw, 'verdict', verdicts) ?? (value === undefined ? 'approve' : 'answer'),
    value,
    why: textAt(raw, 'why'),
  });
}

function expectedOf(raw: JsonObject): Expected {
  const spent = mapAt(raw, 'spent') ?? {};
  const cost = quantityAt(spent, 'cost_usd', readMoney);
  const limits = limitable.map((resource) => [resource, resource === 'cost_usd' ? cost : numberAt(spent, resource)]);
  return defined<Expected>({
    status: choiceAt(raw, 'status', statuses) ?? 'completed',
    partial: flagAt(raw, 'partial'),
    output: raw.output,
    results: mapAt(raw, 'results') ?? {},
    spent: Object.fromEntries(limits.filter(([, most]) => most !== undefined)),
    replans: numberAt(raw, 'replans'),
    codes: wordsAt(raw, 'codes'),
  });
}

function mapsAt(raw: JsonObject, key: string): readonly JsonObject[] {
  const list = ownProperty(raw, key);
  return isJsonArray(list) ? list.filter(isJsonObject) : [];
}
