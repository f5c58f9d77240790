// Turns forms into values, for `quote` and for the constants of `case`.
import type { Form } from '../form.ts';
import { mapBuilder, setOf } from '../map.ts';
import { regex } from '../regex.ts';
import { keyword, symbol, type Value, vector } from '../value.ts';
import type { Analysis } from './analysis.ts';

/** Evaluates nothing inside. */
export function quoted(a: Analysis, form: Form): Value {
  switch (form.kind) {
    case 'scalar':
      return form.value;
    case 'keyword':
      return keyword(form.name);
    case 'symbol':
      return symbol(form.name);
    case 'regex':
      return regex(a.machine, form.source);
    case 'set':
      return setOf(
        a.machine,
        form.items.map((item) => quoted(a, item)),
      );
    case 'map': {
      const map = mapBuilder(a.machine);
      for (let i = 0; i + 1 < form.items.length; i += 2) {
        const [key, value] = [form.items[i], form.items[i + 1]];
        if (key !== undefined && value !== undefined) map.add(quoted(a, key), quoted(a, value));
      }
      return map.done();
    }
    default:
      return vector(form.items.map((item) => quoted(a, item)));
  }
}
