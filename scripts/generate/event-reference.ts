// Writes docs/reference/events.md: every event of a run, with its fields.
import { eventSchema } from '../../src/engine/record/event.schema.ts';

/** A schema as tools read it. */
interface EventShape {
  readonly description: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, { readonly description?: string; readonly const?: string }>>;
}

export function eventReference(): string {
  const shapes = eventSchema.oneOf as unknown as readonly EventShape[];
  const sections = shapes.map(({ description, required, properties: { type, ...fields } }) => {
    const rows = Object.entries(fields).map(
      ([name, field]) => `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${field.description ?? ''} |`,
    );
    return `## ${type?.const}\n\n${description}\n\n| field | |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Events

A run writes an event for everything that happens in it, in order. \`reconverge run --json\` prints each as a line,
\`onEvents\` hands them to a listener after they are durable, and the journal keeps them. Each record also has a
\`version\` (1, 2, 3, …), \`at\` (milliseconds since 1970) and \`cause\` (the version of the event that led to it; 0 for an
order from outside). \`schemas/event.schema.json\` is the JSON Schema of an event.

${sections.join('\n')}`;
}
