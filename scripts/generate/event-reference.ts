// Writes docs/events.md: every event a run can write, with what it carries.
import { eventShapes } from '../../src/engine/codec/event-shapes.ts';

export function eventReference(): string {
  const sections = Object.entries(eventShapes).map(([type, { says, required, properties }]) => {
    const rows = Object.entries(properties).map(
      ([name, schema]) =>
        `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${String(schema.description ?? '')} |`,
    );
    return `## ${type}\n\n${says}\n\n| field | |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Events

What happened in a run, in the order in which it was written. \`reconverge run --json\` prints each as a line,
\`onEvents\` hands them to a listener after they are durable, and the journal keeps them. Each record also has a
\`version\` (1, 2, 3, …), \`at\` (milliseconds since 1970) and \`cause\` (the version of the event that led to it; 0 for an
order from outside). The shapes are in \`schemas/event.schema.json\`.

${sections.join('\n')}`;
}
