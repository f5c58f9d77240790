// Hover: what a key means, the contract of a capability, the type of a step or a reference, and the help of a Lisp function.
import { basename } from 'node:path';
import { type Hover, MarkupKind } from 'vscode-languageserver';
import type { PathPart } from '../../../base/issue.ts';
import { schemaAt as contractAt } from '../../../contract/path.ts';
import { lispTokens } from '../../../lisp/tokens.ts';
import {
  covers,
  type OutlineScalar,
  type OutlineSpot,
  offsetIn,
  type Span,
  spotAt,
  textOffset,
} from '../../../template/parse/outline.ts';
import { type Reference, referenceRoots, referenceText } from '../../../template/references.ts';
import { isLispAt, schemaAt } from '../../../template/step-occurrences.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { docText } from '../completion/lisp.ts';
import { rootHelp } from '../completion/references.ts';
import { isInput } from '../cursor.ts';
import { bindingText, siteOf } from '../lisp-site.ts';
import { capabilityText, keyText, parameterHelp, stepText, typeText } from '../markdown.ts';
import { rangeOfSpan } from '../positions.ts';
import { calledAt, capabilityNamed, stepNamed, typeOf } from '../study.ts';
import { stepAt } from './steps.ts';

interface HoverText {
  readonly text: string;
  readonly span: Span;
}

export function hoverAt(document: AnalyzedDocument, offset: number): Hover | undefined {
  const spot = spotAt(document.outline, offset);
  const found = ofStep(document, offset) ?? ofScalar(document, spot, offset) ?? ofKey(document, spot);
  if (found === undefined) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: found.text },
    range: rangeOfSpan(document.text, found.span),
  };
}

function ofStep(document: AnalyzedDocument, offset: number): HoverText | undefined {
  const found = stepAt(document, offset);
  const step = found?.fragment === undefined ? stepNamed(document, found?.name) : undefined;
  if (found === undefined || step === undefined) return undefined;
  const type = typeOf(document, ['output'], { root: 'results', path: [found.name] });
  const { resolution, trees } = document.analysis?.study ?? {};
  const source = resolution?.origins[resolution.template.steps.indexOf(step)]?.source ?? 0;
  const written = trees?.[source]?.file ?? '';
  const file = written === '' || basename(written) === basename(document.path) ? undefined : written;
  return { text: stepText(step, type, file), span: found.span };
}

function ofScalar(
  document: AnalyzedDocument,
  { path, node, entry }: OutlineSpot,
  offset: number,
): HoverText | undefined {
  if (node.kind !== 'scalar' || entry !== undefined) return undefined;
  if (isLispAt(node, path, document.kind)) return ofLisp(document, node, path, offset);
  return ofReference(document, node, path, offset) ?? ofCapability(document, node, path);
}

const CALLING = [
  'handler',
  'capability',
  'tool',
  'callable',
  'allow',
  'deny',
  'tools',
  'applies_to',
  'capabilities',
  'name',
  'call',
];

function ofCapability(
  document: AnalyzedDocument,
  node: OutlineScalar,
  path: readonly PathPart[],
): HoverText | undefined {
  const key = path.findLast((part) => typeof part === 'string');
  if (key === undefined || !CALLING.includes(String(key))) return undefined;
  const capability = capabilityNamed(document, node.text);
  return capability === undefined ? undefined : { text: capabilityText(capability), span: node };
}

const PLACEHOLDER = /\{\{\s*([a-z]+(?:\.[A-Za-z0-9_$-]+|\[\d+\]|\[["'][^"']+["']\])*)/g;

/** The reference around the cursor, up to the name under it. */
function ofReference(
  document: AnalyzedDocument,
  node: OutlineScalar,
  path: readonly PathPart[],
  offset: number,
): HoverText | undefined {
  const at = textOffset(node, offset);
  for (const match of node.text.matchAll(PLACEHOLDER)) {
    const written = match[1] ?? '';
    const from = match.index + match[0].length - written.length;
    if (!covers({ from, to: from + written.length }, at)) continue;
    const rest = /^[A-Za-z0-9_$-]*/.exec(node.text.slice(at))?.[0] ?? '';
    const shown = node.text.slice(from, at) + rest;
    const reference = referenceOf(shown);
    if (reference === undefined) return undefined;
    const type = typeOf(document, path, reference);
    const help = reference.path.length === 0 ? rootHelp[reference.root] : undefined;
    const start = offsetIn(node, from);
    const span = { from: start, to: start + shown.length };
    return { text: help ?? valueText(reference, type, document), span };
  }
  return undefined;
}

function referenceOf(text: string): Reference | undefined {
  const root = referenceRoots.find((each) => each === /^[a-z]+/.exec(text)?.[0]);
  if (root === undefined) return undefined;
  const parts = [...text.slice(root.length).matchAll(/\.([A-Za-z0-9_$-]+)|\[(\d+)\]|\[["']([^"']+)["']\]/g)];
  return { root, path: parts.map((match) => match[1] ?? match[2] ?? match[3] ?? '') };
}

/** The type of a value, and the place that promises it. */
function valueText(reference: Reference, type: ReturnType<typeof typeOf>, document: AnalyzedDocument): string {
  const { root, path } = reference;
  const name = `**${referenceText(reference)}**`;
  if (type === undefined) return `${name}: no contract promises this value`;
  const { description } = type.schema ?? {};
  const step = root === 'results' || root === 'depends' ? stepNamed(document, path[0]) : undefined;
  const origin = step === undefined ? (root === 'input' ? 'from `input` of the template' : '') : originText(step);
  const lines = [
    `${name}: \`${typeText(type.schema)}\`${type.optional ? ', or null when the step is skipped' : ''}`,
    typeof description === 'string' ? description : '',
    origin,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

function originText({ name, type, output, capability }: NonNullable<ReturnType<typeof stepNamed>>): string {
  if (output !== undefined) return `from \`output\` of step \`${name}\``;
  return capability === undefined
    ? `from the ${type} step \`${name}\``
    : `from \`${capability}\`, which step \`${name}\` calls`;
}

function ofLisp(
  document: AnalyzedDocument,
  node: OutlineScalar,
  path: readonly PathPart[],
  offset: number,
): HoverText | undefined {
  const at = textOffset(node, offset);
  const token = lispTokens(node.text).find((each) => covers(each, at) && each.kind !== 'open' && each.kind !== 'close');
  if (token === undefined) return undefined;
  const start = offsetIn(node, token.from);
  const span = { from: start, to: start + token.text.length };
  if (token.text.startsWith('data/')) {
    const name = token.text.slice('data/'.length);
    const root = referenceRoots.find((each) => each === name);
    const site = siteOf(path);
    const type = root === undefined || site === 'verification' ? undefined : typeOf(document, path, { root, path: [] });
    return {
      text: `**${token.text}**${type?.schema === undefined ? '' : `: \`${typeText(type.schema)}\``}\n\n${bindingText(name, site)}`,
      span,
    };
  }
  const help = token.kind === 'symbol' ? docText(token.text) : undefined;
  return help === undefined ? undefined : { text: help, span };
}

function ofKey(document: AnalyzedDocument, { path, entry, node }: OutlineSpot): HoverText | undefined {
  const key = path.at(-1);
  const span = entry?.keySpan ?? node;
  if (isInput(path) && path.indexOf('input') < path.length - 1) return ofParameter(document, path, span);
  if (entry === undefined && (node.kind !== 'scalar' || typeof key !== 'string')) return undefined;
  const schema = schemaAt(path, document.kind);
  if (schema === undefined || typeof key !== 'string') return undefined;
  const called = path.at(-1) === 'input' ? capabilityNamed(document, calledAt(document, path) ?? '') : undefined;
  const more = called === undefined ? '' : `\n\n${capabilityText(called)}`;
  return { text: keyText(key, schema) + more, span };
}

function ofParameter(document: AnalyzedDocument, path: readonly PathPart[], span: Span): HoverText | undefined {
  const capability = calledAt(document, path);
  const contract = capability === undefined ? undefined : capabilityNamed(document, capability)?.input;
  if (capability === undefined || contract === undefined) return undefined;
  const found = contractAt(contract, path.slice(path.indexOf('input') + 1));
  return typeof found === 'string' ? undefined : { text: parameterHelp(String(path.at(-1)), found, capability), span };
}
