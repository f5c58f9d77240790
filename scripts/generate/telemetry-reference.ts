// Writes docs/reference/telemetry.md: every attribute of spans and every instrument, from the two tables in src/telemetry.
import { attributes } from '../../src/telemetry/attributes.ts';
import { instruments } from '../../src/telemetry/metrics.ts';

export function telemetryReference(): string {
  const rows = Object.entries(attributes).map(([name, spec]) => {
    const content = 'content' in spec ? ' Only with `capture_content: true`.' : '';
    return `| \`${name}\` | ${spec.type} | ${spec.on} | ${spec.says}${content} |`;
  });
  const metrics = Object.entries(instruments).map(([name, { kind, unit, says, by }]) => {
    const series = by.map((key) => `\`${key}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${unit} | ${says} | ${series} |`;
  });
  return `# Telemetry

What spans and metrics of a run carry. To see them in a backend, read [Tracing](../tracing.md).

## Names of spans

Names have few values, so that backends can group by them: ids are attributes.

| span | covers |
|---|---|
| \`run\` | A run, with all of its time. |
| \`phase\`, \`replan\` | A plan with its steps: from the first attempt of its planner until it converges. A \`replan\` mends the phase around it. |
| \`plan KIND\` | An attempt of a planner of this kind, such as \`plan llm\`. |
| \`step\` | A step, with all of its attempts. |
| \`execute_tool NAME\` | An attempt that is one call of a capability, or the call of an agent or a planner. Without a name for a capability that a plan has written. |
| \`invoke_agent NAME\` | An attempt of an agent of the template. Without a name for an agent that a plan has declared. |
| \`attempt\` | Any other attempt. |
| \`chat MODEL\`, \`embeddings MODEL\` | A request to a model. |
| \`look up\`, \`find files\`, \`discover capabilities\` | A call that costs nothing. |
| \`gate KIND\` | A question to people, until it is answered. |

## Attributes of spans

Names that begin with \`gen_ai.\`, \`server.\` and \`error.\` are OpenTelemetry's conventions; those of generative AI are in
flux, and are kept here as they were in November 2026. A call is a span of a model, a capability, a look-up, a search for
files or for capabilities. An attribute has the same type in every span: exporters of JavaScript send whole numbers as
integers, so a whole number of type double is sent with a billionth more.

| attribute | type | on | |
|---|---|---|---|
${rows.join('\n')}
| \`reconverge.budget.RESOURCE.spent\`, \`.limit\` | int; double for \`cost_usd\` | phase, run, budget events | How the run's budget stood when it ended or that happened; \`cost_usd\` in dollars. |
| \`reconverge.link\` | string | links | \`brought\`: the planning attempt that brought the step; \`replaces\`: the one whose plan the repair replaces; \`resumed\`: the span of the program that resumed the run; on that span \`resumes\`. |

## Metrics

| instrument | kind | unit | | by |
|---|---|---|---|---|
${metrics.join('\n')}
`;
}
