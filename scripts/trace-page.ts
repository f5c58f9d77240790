// Draws a trace as a page: the spans of an OTLP file as bars over time, with the attributes of a replan.

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Span {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes?: readonly Attribute[] }[];
  readonly links?: readonly { readonly spanId: string; readonly attributes?: readonly Attribute[] }[];
}

interface Otlp {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** The code of a span that failed, in OTLP. */
const ERROR = 2;

const style = `
body { margin: 0; padding: 18px 22px; font: 13px system-ui, sans-serif; color: #27272a; background: #fff; }
h1 { font-size: 17px; margin: 0 0 12px; } h1 small { color: #71717a; font-weight: 400; }
.row { display: grid; grid-template-columns: 400px 1fr 66px; align-items: center; height: 22px; border-top: 1px solid #f0f0f1; }
.row.chosen { background: #eef0fc; }
.name { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.bar { position: relative; height: 12px; } .bar i { position: absolute; height: 12px; border-radius: 2px; background: #4350c0; min-width: 3px; }
.failed .bar i { background: #dc2626; } .failed .name { color: #b91c1c; }
.took { text-align: right; color: #71717a; font-variant-numeric: tabular-nums; }
.told { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; margin-top: 16px; border-top: 2px solid #4350c0; padding-top: 10px; }
h2 { font-size: 13px; margin: 0 0 4px; } dl { margin: 0; font: 12px ui-monospace, monospace; } dl div { display: grid; grid-template-columns: 230px 1fr; gap: 10px; line-height: 19px; }
dt { color: #71717a; } dd { margin: 0; }`;

export function tracePage(otlp: string, chosen: (name: string) => boolean): string {
  const { resourceSpans } = JSON.parse(otlp) as Otlp;
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const [root] = spans;
  if (root === undefined) throw new Error('there is no span');
  const from = startOf(root);
  const whole = Number(root.endTimeUnixNano) / 1e6 - from;
  const told = spans.find(({ name }) => chosen(name));
  const rows = inOrder(spans, undefined, 0).map(({ span, depth }) => {
    const took = Number(span.endTimeUnixNano) / 1e6 - startOf(span);
    const left = ((startOf(span) - from) / whole) * 99;
    const classes = ['row', span.status.code === ERROR ? 'failed' : '', span === told ? 'chosen' : ''].join(' ');
    return `<div class="${classes}"><span class="name" style="padding-left:${depth * 16}px">${text(span.name)}</span>
      <span class="bar"><i style="left:${left}%;width:${(took / whole) * 99}%"></i></span><span class="took">${Math.round(took)} ms</span></div>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>
    <h1>${text(root.name)} <small>${spans.length} spans</small></h1>${rows.join('')}${told === undefined ? '' : detail(told, spans)}`;
}

function detail({ name, attributes, events = [], links = [] }: Span, spans: readonly Span[]): string {
  const nameOf = (id: string): string => spans.find(({ spanId }) => spanId === id)?.name ?? id;
  const tags = attributes.filter(({ key }) => !key.startsWith('reconverge.budget.'));
  const references = links.map(({ spanId, attributes: [relation] = [] }) => [textIn(relation), nameOf(spanId)]);
  const logs = events.map((event) => [event.name, (event.attributes ?? []).map(textIn).join(', ')]);
  return `<div class="told"><div><h2>${text(name)}: tags</h2>${list(tags.map((tag) => [tag.key, textIn(tag)]))}</div>
    <div><h2>references</h2>${list(references)}${logs.length === 0 ? '' : `<h2>logs</h2>${list(logs)}`}</div></div>`;
}

function list(pairs: readonly (readonly string[])[]): string {
  const rows = pairs.map(([key = '', value = '']) => `<div><dt>${text(key)}</dt><dd>${text(value)}</dd></div>`);
  return `<dl>${rows.join('')}</dl>`;
}

/** Each span after its parent, in order of their start. */
function inOrder(
  spans: readonly Span[],
  parent: string | undefined,
  depth: number,
): readonly { readonly span: Span; readonly depth: number }[] {
  return spans
    .filter(({ parentSpanId }) => (parentSpanId === '' ? undefined : parentSpanId) === parent)
    .sort((a, b) => startOf(a) - startOf(b))
    .flatMap((span) => [{ span, depth }, ...inOrder(spans, span.spanId, depth + 1)]);
}

function startOf({ startTimeUnixNano }: Span): number {
  return Number(startTimeUnixNano) / 1e6;
}

function textIn(attribute: Attribute | undefined): string {
  const [value] = Object.values(attribute?.value ?? {});
  if (typeof value !== 'object' || value === null) return String(value);
  const { values = [] } = value as { readonly values?: readonly Attribute['value'][] };
  return values.flatMap((each) => Object.values(each)).join(', ');
}

function text(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
