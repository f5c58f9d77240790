// Formats a trace as lines for a terminal: the tree of spans with durations, usage and costs.
import { durationText, moneyText } from '../../base/quantity.ts';
import type { AttributeName } from '../../telemetry/attributes.ts';
import type { SpanRecord } from '../../telemetry/span-record.ts';
import { type Line, type Span, span } from '../../view/line.ts';
import { table } from '../../view/table.ts';

interface Node {
  readonly record: SpanRecord;
  readonly under: readonly Node[];
}

export function traceLines(records: readonly SpanRecord[]): readonly Line[] {
  const names = new Map(records.map((record) => [record.span, nameOf(record)]));
  const roots = treeOf(records);
  const rows = roots.flatMap((root) => rowsOf(root, 0, names));
  return table(
    [
      { title: 'span' },
      { title: 'took', align: 'right' },
      { title: 'tokens', align: 'right' },
      { title: 'cost', align: 'right' },
    ],
    rows,
  );
}

function treeOf(records: readonly SpanRecord[]): readonly Node[] {
  const nodes = new Map(records.map((record) => [record.span, { record, under: [] as Node[] }]));
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    const above = nodes.get(node.record.parent ?? '');
    (above?.under ?? roots).push(node);
  }
  return roots;
}

function rowsOf(node: Node, depth: number, names: ReadonlyMap<string, string>): readonly (readonly Span[])[] {
  const { record, under } = node;
  const only = onlyAttempt(node);
  const shown = only === undefined ? under : only.under;
  const doer = only === undefined ? '' : doerOf(only.record);
  const { sign, tone } = statusMark(record);
  const took = span(durationText(record.endedAt - record.startedAt), 'dim');
  return [
    [
      span(`${'  '.repeat(depth)}${sign} ${nameOf(record)}${doer}${remark(record)}`, tone),
      took,
      tokens(record),
      cost(record),
    ],
    ...record.links.flatMap((link) =>
      link.relation === 'replaces' ? [note(depth, `replaces what ${names.get(link.to) ?? link.to} brought`)] : [],
    ),
    ...[record, ...(only === undefined ? [] : [only.record])].flatMap((each) => notes(each, depth)),
    ...shown.flatMap((each) => rowsOf(each, depth + 1, names)),
  ];
}

/** The name of a span with its id: spans themselves have names of few values. */
function nameOf(record: SpanRecord): string {
  const { kind, name, attributes } = record;
  switch (kind) {
    case 'run':
      return `${name} ${String(attributes['reconverge.template.name'] ?? '')}`;
    case 'phase':
    case 'step':
      return `${name} ${String(attributes['reconverge.step.id'] ?? '')}`;
    case 'attempt': {
      const what = attributes['gen_ai.operation.name'] === 'plan' ? 'planning attempt' : 'attempt';
      return `${what} ${String(attributes['reconverge.attempt.number'] ?? '')}${doerOf(record)}`;
    }
    default:
      return name;
  }
}

/** The agent or the capability of an attempt. */
function doerOf({ attributes }: SpanRecord): string {
  if (attributes['gen_ai.operation.name'] === 'plan') return '';
  const doer = attributes['gen_ai.agent.name'] ?? attributes['gen_ai.tool.name'];
  return doer === undefined ? '' : `: ${String(doer)}`;
}

/** A step with a single successful attempt needs no line for the attempt. */
function onlyAttempt({ record, under }: Node): Node | undefined {
  const [first, ...more] = under;
  if (record.kind !== 'step' || more.length > 0 || first?.record.kind !== 'attempt') return undefined;
  return first.record.error === undefined ? first : undefined;
}

function notes({ events }: SpanRecord, depth: number): readonly (readonly Span[])[] {
  return events.flatMap(({ name, attributes }) => {
    const text = (key: AttributeName): string => String(attributes[key] ?? '');
    switch (name) {
      case 'issue':
        return [note(depth, `${text('reconverge.issue.code')} ${text('reconverge.issue.path')}`.trimEnd())];
      case 'verification.failed':
        return [note(depth, 'its result did not pass verification')];
      case 'replan.started':
        return [note(depth, `planned again by ${text('reconverge.replan.step')}`)];
      case 'convergence.judged': {
        const all = `${text('reconverge.convergence.succeeded')} of ${text('reconverge.convergence.expected')}`;
        return [note(depth, `${all} branches: ${text('reconverge.convergence.reason')}`)];
      }
      case 'budget.warned':
        return [note(depth, `${text('reconverge.percent')}% of ${text('reconverge.resource')} is spent`)];
      case 'budget.exhausted':
        return [note(depth, `the limit of ${text('reconverge.resource')} was met`)];
      default:
        return [];
    }
  });
}

function note(depth: number, text: string): readonly Span[] {
  return [span(`${'  '.repeat(depth)}    ${text}`, 'dim')];
}

function remark({ attributes, error }: SpanRecord): string {
  const status = attributes['reconverge.status'];
  const said = error ?? (status === 'completed' || status === 'converged' ? undefined : status);
  return said === undefined ? '' : `  ${String(said)}`;
}

function statusMark({ error, attributes }: SpanRecord): { readonly sign: string } & Pick<Span, 'tone'> {
  if (error !== undefined) return { sign: '✗', tone: 'bad' };
  if (attributes['reconverge.unfinished'] === true) return { sign: '●', tone: 'busy' };
  switch (attributes['reconverge.status']) {
    case 'superseded':
      return { sign: '⊘', tone: 'dim' };
    case 'skipped':
    case 'cancelled':
    case 'unmet':
      return { sign: '–', tone: 'warn' };
    default:
      return { sign: '✓', tone: 'good' };
  }
}

function tokens({ attributes }: SpanRecord): Span {
  const read = attributes['gen_ai.usage.input_tokens'] ?? attributes['reconverge.tokens.input'];
  const wrote = attributes['gen_ai.usage.output_tokens'] ?? attributes['reconverge.tokens.output'];
  return span(read === undefined && wrote === undefined ? '' : `${read ?? 0}→${wrote ?? 0}`);
}

function cost({ attributes }: SpanRecord): Span {
  const dollars = attributes['reconverge.cost_usd'];
  return span(typeof dollars === 'number' ? moneyText(Math.round(dollars * 1_000_000)) : '');
}
