// The options of the engine's methods, which are checked at run time, because programs in JavaScript have no compiler.
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { type OptionKind, type OptionTable, optionIssues } from '../../base/options.ts';
import { contractOf } from '../../contract/contract.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import { runBudget } from '../../template/keys/budget.ts';
import type { LogQuery } from '../logs/read-logs.ts';
import type {
  DriveOptions,
  ForkChanges,
  ForkOptions,
  ForkPoint,
  ListRunsOptions,
  LoadOptions,
  MissionOptions,
  PlanOptions,
  PursueOptions,
  StartChoices,
  StartOptions,
} from './engine.ts';
import type { EngineOptions } from './engine-options.ts';
import { storedOrders } from './generated-stored-orders.ts';
import type { MissionLimits } from './mission-limits.ts';
import type { PruneOptions } from './pruning.ts';
import type { Pursuit } from './pursuit.ts';
import { toolOptions } from './tools.ts';

export const engineOptions: OptionTable<EngineOptions> = {
  store: 'text',
  durability: 'text',
  access: 'text',
  folder: 'text',
  capabilities: 'list',
  journal: 'map',
  clock: 'map',
  countTokens: 'function',
  surroundings: 'map',
  models: 'map',
  embedder: 'map',
  learning: 'flag',
  telemetry: 'flag',
  propagation: 'flag',
  standIn: 'function',
  paranoid: 'flag',
  onLog: 'function',
};

const drive: OptionTable<DriveOptions> = {
  onEvents: 'function',
  onDelta: 'function',
  onLogs: 'function',
  by: 'text',
  record: 'text',
  replay: 'text',
  wait: 'flag',
  stopAtPlanner: 'text',
  onChildEvents: 'function',
  traceparent: 'text',
  tracestate: 'text',
};

const { by: _, ...orderOptions } = drive;

const load: OptionTable<LoadOptions> = { environment: 'text', capabilities: 'list' };

const choices: OptionTable<StartChoices> = { budget: 'map', raise: 'flag', models: 'map', planners: 'map' };

const start: OptionTable<StartOptions> = { ...drive, ...choices, input: 'any', reuse: 'text', given: 'map' };

const changes: OptionTable<ForkChanges> = {
  template: 'map',
  budget: 'map',
  raise: 'flag',
  models: 'map',
  reply: 'any',
};

const fork: OptionTable<ForkOptions> = { ...drive, ...changes, why: 'text' };

const pursuit: OptionTable<Pursuit> = {
  attachments: 'list',
  kinds: 'map',
  sequential: 'flag',
  askBelow: 'number',
  frame: 'map',
  planning: 'map',
  budget: 'map',
};

const pursue: OptionTable<PursueOptions> = {
  ...drive,
  ...pursuit,
  reuse: 'text',
  given: 'map',
  capabilities: 'list',
};

const limits: OptionTable<MissionLimits> = {
  maxTotalReplans: 'count',
  maxReplanAttempts: 'count',
  replanCooldown: 'any',
  maxTurns: 'count',
  timeout: 'any',
  maxConcurrency: 'count',
};

const { given: __, capabilities: ___, onEvents: ____, ...mission } = pursue;

const missionOptions: OptionTable<MissionOptions> = {
  ...mission,
  ...toolOptions,
  ...limits,
  contextTags: 'list',
  constraints: 'any',
  reviews: 'map',
  initialResults: 'map',
  onEvent: 'function',
};

export const planOptions: OptionTable<PlanOptions> = {
  ...start,
  mission: 'text',
  frame: 'map',
  planning: 'map',
  capabilities: 'list',
};

export const pruneOptions: OptionTable<PruneOptions> = { before: 'number', dry: 'flag', onRemoved: 'function' };

export const listRunsOptions: OptionTable<ListRunsOptions> = { patience: 'number', onCompleted: 'function' };

const logQuery: OptionTable<LogQuery> = {
  step: 'any',
  attempt: 'count',
  level: 'text',
  after: 'count',
  before: 'count',
  until: 'number',
  first: 'count',
  last: 'count',
};

/** The options of the engine's methods that return a `Result`. */
const methods = {
  load,
  start,
  pursue,
  run: missionOptions,
  execute: missionOptions,
  resume: drive,
  order: orderOptions,
  fork,
  logs: logQuery,
} as const;

/** The issues of the options of one call, such as `engine.run`. */
export function issuesOfOptions(method: keyof typeof methods, given: unknown): readonly Issue[] {
  return optionIssues(`engine.${method}`, given, methods[method], budgetHint(methods[method]));
}

const budgetKeys: ReadonlySet<string> = new Set(Object.keys(Object(runBudget.schema.properties)));

/** The hint for a budget key that is written beside `budget`. */
export function budgetHint(table: Readonly<Record<string, OptionKind>>): (name: string) => string | undefined {
  return (name) => {
    const near = didYouMean(name, Object.keys(table));
    if (near !== undefined || !budgetKeys.has(name) || !Object.hasOwn(table, 'budget')) return near;
    return `write budget: { ${name}: … }`;
  };
}

/** The issues of a point for a fork: OPTION_UNKNOWN and OPTION_INVALID. */
export function issuesOfForkPoint(point: ForkPoint): readonly Issue[] {
  const found = optionIssues('the fork point', point, { event: 'count', step: 'text' });
  if (found.length > 0) return found;
  const isEither = typeof point === 'object' && 'event' in point !== 'step' in point;
  if (isEither) return [];
  return [
    issue('OPTION_INVALID', 'the fork point names neither an event nor a step, or both', {
      hint: 'write { event: 12 } or { step: "fetch" }',
    }),
  ];
}

/** The keys that say who gave an order and why; the inbox keeps them beside it. */
const signature: Readonly<Record<string, OptionKind>> = { by: 'text', why: 'text' };

/** The issues of an order: ORDER_INVALID, OPTION_UNKNOWN and OPTION_INVALID. */
export function issuesOfOrder(order: RunOrder): readonly Issue[] {
  const types = Object.keys(storedOrders);
  const type: unknown = typeof order === 'object' && order !== null ? order.type : undefined;
  if (typeof type !== 'string' || !types.includes(type)) {
    const named = typeof type === 'string' ? `there is no order "${type}"` : 'the order has no type';
    const hint = (typeof type === 'string' ? didYouMean(type, types) : undefined) ?? `orders are ${types.join(', ')}`;
    return [issue('ORDER_INVALID', named, { path: ['type'], hint })];
  }
  const schema = storedOrders[order.type];
  const keys: Record<string, OptionKind> = { ...signature };
  for (const key of Object.keys(Object(schema.properties))) keys[key] = 'any';
  const found = optionIssues(`the order "${type}"`, order, keys);
  if (hasErrors(found)) return found;
  if (order.by === undefined) {
    const hint = 'add by: the name of the person or program that gives it';
    return [issue('ORDER_INVALID', `the order "${type}" does not say who gives it`, { path: ['by'], hint })];
  }
  const checked = contractOf(schema).check(JSON.parse(JSON.stringify(order)));
  if (checked.ok) return [];
  return checked.error.map(({ message, path }) => issue('ORDER_INVALID', `the order "${type}": ${message}`, { path }));
}
