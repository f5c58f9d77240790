// The metrics of a run, computed from its spans: a table of instruments, and the measurements of each ended span.
import { defined } from '../base/json.ts';
import { limitable } from '../budget/amount.ts';
import type { AttributeName, Attributes, AttributeValue } from './attributes.ts';
import type { SpanRecord } from './span-record.ts';

interface InstrumentSpec {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly unit: string;
  readonly says: string;
  /** The attributes that distinguish its time series. */
  readonly by: readonly string[];
}

/** Instruments of the GenAI conventions, and our own. */
export const instruments = {
  'reconverge.runs': { kind: 'counter', unit: '{run}', says: 'Runs that ended.', by: ['template', 'status'] },
  'reconverge.run.duration': {
    kind: 'histogram',
    unit: 's',
    says: 'The time from start to end.',
    by: ['template', 'status'],
  },
  'reconverge.steps': { kind: 'counter', unit: '{step}', says: 'Steps that ended.', by: ['type', 'status'] },
  'reconverge.step.duration': {
    kind: 'histogram',
    unit: 's',
    says: "The time from the step's first event to its end.",
    by: ['type', 'status'],
  },
  'reconverge.attempts': { kind: 'counter', unit: '{attempt}', says: 'Attempts that ended.', by: ['status'] },
  'reconverge.phases': { kind: 'counter', unit: '{phase}', says: 'Phases that ended.', by: ['status'] },
  'reconverge.replans': { kind: 'counter', unit: '{replan}', says: 'Repairs of plans.', by: ['scope'] },
  'reconverge.fragments.invalid': {
    kind: 'counter',
    unit: '{issue}',
    says: 'Errors in rejected fragments.',
    by: ['code'],
  },
  'reconverge.gates': { kind: 'counter', unit: '{gate}', says: 'Gates that closed.', by: ['kind', 'status'] },
  'reconverge.gate.duration': {
    kind: 'histogram',
    unit: 's',
    says: 'The time until people answered.',
    by: ['kind', 'status'],
  },
  'reconverge.cost': { kind: 'counter', unit: 'usd', says: 'The cost of attempts, with failed ones.', by: ['status'] },
  'reconverge.budget.use': {
    kind: 'gauge',
    unit: '1',
    says: 'The spent part of a limit of the run, when a phase or the run ends.',
    by: ['template', 'resource'],
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    says: 'Tokens of one call of a model.',
    by: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'gen_ai.token.type'],
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    says: 'The time of one call of a model.',
    by: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
  },
} as const satisfies Readonly<Record<string, InstrumentSpec>>;

export type InstrumentName = keyof typeof instruments;

export interface Measurement {
  readonly of: InstrumentName;
  readonly value: number;
  readonly by: Readonly<Record<string, string>>;
}

/** `template` is the name of the run's template. */
export function measurementsOf(record: SpanRecord, template: string): readonly Measurement[] {
  const { kind, attributes } = record;
  const status = wordOf(attributes, 'reconverge.status');
  const seconds = (record.endedAt - record.startedAt) / 1_000;
  switch (kind) {
    case 'run':
      return [
        { of: 'reconverge.runs', value: 1, by: { template, status } },
        { of: 'reconverge.run.duration', value: seconds, by: { template, status } },
        ...budgetUse(attributes, template),
      ];
    case 'phase': {
      const scope = attributes['reconverge.replan.scope'];
      const repair = { of: 'reconverge.replans', value: 1, by: { scope: String(scope) } } as const;
      return [
        { of: 'reconverge.phases', value: 1, by: { status } },
        ...(scope === undefined ? [] : [repair]),
        ...budgetUse(attributes, template),
      ];
    }
    case 'step': {
      const by = { type: wordOf(attributes, 'reconverge.step.type'), status };
      return [
        { of: 'reconverge.steps', value: 1, by },
        { of: 'reconverge.step.duration', value: seconds, by },
      ];
    }
    case 'attempt':
      return [
        { of: 'reconverge.attempts', value: 1, by: { status } },
        ...measureNumber(attributes, 'reconverge.cost_usd', (value) => ({
          of: 'reconverge.cost',
          value,
          by: { status },
        })),
        ...(status === 'rejected' ? record.events.flatMap(invalid) : []),
      ];
    case 'gate': {
      const by = { kind: wordOf(attributes, 'reconverge.gate.kind'), status };
      return [
        { of: 'reconverge.gates', value: 1, by },
        { of: 'reconverge.gate.duration', value: seconds, by },
      ];
    }
    case 'model':
    case 'embeddings':
      return modelCall(record, seconds);
    case 'capability':
    case 'look_up':
    case 'files':
    case 'discover':
      return [];
  }
}

function modelCall({ attributes, error }: SpanRecord, seconds: number): readonly Measurement[] {
  const by = {
    'gen_ai.operation.name': wordOf(attributes, 'gen_ai.operation.name'),
    'gen_ai.provider.name': wordOf(attributes, 'gen_ai.provider.name'),
    'gen_ai.request.model': wordOf(attributes, 'gen_ai.request.model'),
  };
  const failed = defined({ 'error.type': error });
  const tokens =
    (type: string) =>
    (value: number): Measurement => ({
      of: 'gen_ai.client.token.usage',
      value,
      by: { ...by, 'gen_ai.token.type': type },
    });
  return [
    { of: 'gen_ai.client.operation.duration', value: seconds, by: { ...by, ...failed } },
    ...measureNumber(attributes, 'gen_ai.usage.input_tokens', tokens('input')),
    ...measureNumber(attributes, 'gen_ai.usage.output_tokens', tokens('output')),
  ];
}

const limits = limitable.map((resource) => ({
  resource,
  spent: `reconverge.budget.${resource}.spent` as const,
  limit: `reconverge.budget.${resource}.limit` as const,
}));

function budgetUse(attributes: Attributes, template: string): readonly Measurement[] {
  return limits.flatMap(({ resource, spent, limit }) => {
    const [used, most] = [attributes[spent], attributes[limit]];
    if (typeof used !== 'number' || typeof most !== 'number' || most === 0) return [];
    return [{ of: 'reconverge.budget.use' as const, value: used / most, by: { template, resource } }];
  });
}

function invalid({ name, attributes }: SpanRecord['events'][number]): readonly Measurement[] {
  if (name !== 'issue' || attributes['reconverge.issue.severity'] !== 'error') return [];
  const code = wordOf(attributes, 'reconverge.issue.code');
  return [{ of: 'reconverge.fragments.invalid', value: 1, by: { code } }];
}

function measureNumber(
  attributes: Attributes,
  name: AttributeName,
  measured: (value: number) => Measurement,
): readonly Measurement[] {
  const value: AttributeValue | undefined = attributes[name];
  return typeof value === 'number' ? [measured(value)] : [];
}

function wordOf(attributes: Attributes, name: AttributeName): string {
  return String(attributes[name] ?? 'unknown');
}
