// Which items of a list a task is about: of files that have a type, `each CSV file` is those of the type csv.
import type { Json } from '../../base/json.ts';
import { propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { singularOf } from '../match/terms.ts';

export interface Meant {
  /** Of each item. */
  readonly property: string;
  readonly value: string;
}

const EACH = /(?:^|[^\p{L}])(?:each|every|all)(?: of)?(?: the| these| those)?((?:,? [\p{L}\p{N}_-]+){1,4})/giu;

/** What its words say of a property with a fixed choice of values; nothing where they would fit several. */
export function itemsMeant(description: string, items: Schema): Meant | undefined {
  const said = new Set([...description.matchAll(EACH)].flatMap(([, words = '']) => words.split(/[, ]+/).map(folded)));
  const meant = Object.entries(propertiesOf(items)).flatMap(([property, schema]) =>
    textsOf(schemaOf(schema).enum).flatMap((value) => (said.has(folded(value)) ? [{ property, value }] : [])),
  );
  const [only, another] = meant;
  return another === undefined ? only : undefined;
}

function textsOf(values: Json | undefined): readonly string[] {
  return Array.isArray(values) ? values.filter((value: Json) => typeof value === 'string') : [];
}

function folded(word: string): string {
  return singularOf(word.toLowerCase());
}
