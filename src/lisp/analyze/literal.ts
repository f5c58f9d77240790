// Map and set literals: constants are built once, and duplicate keys are reported.
import type { BracketForm, Form } from '../form.ts';
import { type Analysis, report } from './analysis.ts';
import type { Node } from './node.ts';
import { notLast, type Scope } from './scope.ts';

export function analyzeMap(a: Analysis, form: BracketForm, scope: Scope): Node {
  const inner = notLast(scope);
  const keys = form.items.filter((_, i) => i % 2 === 0);
  if (repeats(keys)) return report(a, 'LISP_FORM', form, 'the map repeats a key');
  const vals = form.items.filter((_, i) => i % 2 === 1);
  return {
    kind: 'map',
    keys: keys.map((key) => a.node(key, inner)),
    vals: vals.map((value) => a.node(value, inner)),
    at: form.start,
  };
}

export function analyzeSet(a: Analysis, form: BracketForm, scope: Scope): Node {
  if (repeats(form.items)) return report(a, 'LISP_FORM', form, 'the set repeats an element');
  const inner = notLast(scope);
  return { kind: 'set', items: form.items.map((item) => a.node(item, inner)), at: form.start };
}

function repeats(forms: readonly Form[]): boolean {
  return forms.length > 1 && new Set(forms.map(spelled)).size !== forms.length;
}

const spellings = new WeakMap<Form, string>();

/** Equal text for forms that read as equal values: lists equal vectors, and maps have no order. */
function spelled(form: Form): string {
  const known = spellings.get(form);
  if (known !== undefined) return known;
  const spelling = spell(form);
  spellings.set(form, spelling);
  return spelling;
}

function spell(form: Form): string {
  switch (form.kind) {
    case 'scalar':
      return typeof form.value === 'number' ? String(form.value === 0 ? 0 : form.value) : JSON.stringify(form.value);
    case 'symbol':
      return `'${form.name}`;
    case 'keyword':
      return `:${form.name}`;
    case 'regex':
    case 'function':
      return `@${form.start}`;
    case 'map': {
      const pairs = form.items.flatMap((key, i) => {
        const value = form.items[i + 1];
        return i % 2 === 0 && value !== undefined ? [`${spelled(key)} ${spelled(value)}`] : [];
      });
      return `{${pairs.sort().join()}}`;
    }
    case 'set':
      return `#{${form.items.map(spelled).sort().join()}}`;
    default:
      return `[${form.items.map(spelled).join()}]`;
  }
}
