// Document symbols: the sections of a template, its phases and its steps, also while the text is half written.
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import {
  entryOf,
  type OutlineEntry,
  type OutlineMap,
  type OutlineNode,
  type Span,
} from '../../../template/parse/outline.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { rangeOfSpan } from '../positions.ts';

const kinds: Readonly<Record<string, SymbolKind>> = {
  task: SymbolKind.Function,
  compute: SymbolKind.Operator,
  planning: SymbolKind.Module,
  deferred: SymbolKind.Event,
  decision: SymbolKind.Enum,
  fan_out: SymbolKind.Array,
  synthesis_gate: SymbolKind.Interface,
  human_review: SymbolKind.Interface,
};

export function documentSymbols(document: AnalyzedDocument): readonly DocumentSymbol[] {
  const { root } = document.outline;
  if (root.kind !== 'map') return [];
  return root.entries.filter(({ isWhole }) => isWhole).map((entry) => section(entry, document));
}

function section(entry: OutlineEntry, document: AnalyzedDocument): DocumentSymbol {
  const { key, keySpan, value } = entry;
  const children =
    key === 'steps' && value.kind === 'list' ? phases(value.items, document) : namedParts(key, value, document);
  return {
    name: key,
    detail: value.kind === 'scalar' ? firstLine(value.text) : '',
    kind: value.kind === 'scalar' ? SymbolKind.Property : SymbolKind.Namespace,
    ...ranges({ from: keySpan.from, to: Math.max(keySpan.to, value.to) }, keySpan, document),
    children: [...children],
  };
}

/** Sections whose keys are names that the author gave. */
const NAMED = ['agents', 'models', 'planners', 'environments'];

function namedParts(key: string, value: OutlineNode, document: AnalyzedDocument): readonly DocumentSymbol[] {
  if (value.kind !== 'map' || !NAMED.includes(key)) return [];
  return value.entries.map((entry) => ({
    name: entry.key,
    kind: SymbolKind.Object,
    ...ranges({ from: entry.keySpan.from, to: Math.max(entry.keySpan.to, entry.value.to) }, entry.keySpan, document),
  }));
}

/** The steps of each phase stand below its planning step: those up to the target at which the phase converges. */
function phases(steps: readonly OutlineNode[], document: AnalyzedDocument): readonly DocumentSymbol[] {
  const found: DocumentSymbol[] = [];
  for (let index = 0; index < steps.length; index++) {
    const node = steps[index];
    if (node?.kind !== 'map') continue;
    const last = endOfPhase(steps, index);
    const inside = last > index ? phases(steps.slice(index + 1, last + 1), document) : [];
    const symbol = stepSymbol(node, document);
    const to = inside.at(-1)?.range.end;
    found.push({
      ...symbol,
      ...(to !== undefined && { range: { start: symbol.range.start, end: to } }),
      children: [...(symbol.children ?? []), ...inside],
    });
    index = Math.max(index, last);
  }
  return found;
}

/** The index of the last step that stands between a planning step and its target; the index itself without any. */
export function endOfPhase(steps: readonly OutlineNode[], index: number): number {
  const step = steps[index];
  const target = step === undefined ? undefined : textOf(step, 'convergence_target');
  if (step === undefined || target === undefined || textOf(step, 'type') !== 'planning') return index;
  const at = steps.findIndex((each, nth) => nth > index && textOf(each, 'name') === target);
  return at < 0 ? index : at - 1;
}

function stepSymbol(step: OutlineMap, document: AnalyzedDocument): DocumentSymbol {
  const type = textOf(step, 'type') ?? 'task';
  const name = entryOf(step, 'name')?.value;
  const inner = entryOf(step, 'do')?.value;
  const selected = name?.kind === 'scalar' ? name : (step.entries[0]?.keySpan ?? step);
  return {
    name: textOf(step, 'name') ?? '(step without a name)',
    detail: detailOf(step, type),
    kind: kinds[type] ?? SymbolKind.Function,
    ...ranges(step, selected, document),
    children: inner?.kind === 'map' ? [{ ...stepSymbol(inner, document), name: textOf(inner, 'name') ?? 'do' }] : [],
  };
}

/** `planning → total`, `task files.list`, `task agent writer` */
function detailOf(step: OutlineMap, type: string): string {
  const target = textOf(step, 'convergence_target');
  if (target !== undefined) return `${type} → ${target}`;
  const called = ['handler', 'capability', 'tool'].map((key) => textOf(step, key)).find((each) => each !== undefined);
  if (called !== undefined) return `${type} ${called}`;
  const agent = textOf(step, 'agent');
  return agent === undefined ? type : `${type} agent ${agent}`;
}

export function textOf(node: OutlineNode, key: string): string | undefined {
  const value = entryOf(node, key)?.value;
  return value?.kind === 'scalar' && value.text !== '' ? value.text : undefined;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function ranges({ from, to }: Span, selected: Span, { text }: AnalyzedDocument) {
  const selection = { from: selected.from, to: Math.min(selected.to, Math.max(to, selected.from)) };
  return { range: rangeOfSpan(text, { from, to }), selectionRange: rangeOfSpan(text, selection) };
}
