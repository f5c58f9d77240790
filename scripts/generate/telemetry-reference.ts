// Writes docs/telemetry.md: every attribute of spans and every instrument, from the two tables in src/telemetry.
import { attributes } from '../../src/telemetry/attributes.ts';
import { instruments } from '../../src/telemetry/metrics.ts';

export function telemetryReference(): string {
  const rows = Object.entries(attributes).map(([name, spec]) => {
    const content = 'content' in spec ? ' Only with `capture_content: true`.' : '';
    return `| \`${name}\` | ${spec.on} | ${spec.says}${content} |`;
  });
  const metrics = Object.entries(instruments).map(([name, { kind, unit, says, by }]) => {
    const series = by.map((key) => `\`${key}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${unit} | ${says} | ${series} |`;
  });
  return `# Telemetry

What spans and metrics of a run carry. How to see them: [tracing](tracing.md).

## Attributes of spans

Names that begin with \`gen_ai.\` and \`error.\` are OpenTelemetry's conventions; those of generative AI are in flux, and are
kept here as they were in November 2026. A call is a span of a model, a capability, a look-up, a search for files or for
capabilities.

| attribute | on | |
|---|---|---|
${rows.join('\n')}
| \`reconverge.budget.RESOURCE.spent\`, \`.limit\` | phase, run, budget events | How the run's budget stood when it ended or that happened; \`cost_usd\` in dollars. |
| \`reconverge.link\` | links | \`brought\`: the planning attempt that brought the step; \`replaces\`: the one whose plan the repair replaces. |

## Metrics

| instrument | kind | unit | | by |
|---|---|---|---|---|
${metrics.join('\n')}
`;
}
