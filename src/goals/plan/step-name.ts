// Makes step names from the descriptions of tasks.

const WORDS = 5;
const LONGEST = 40;
const NAMELESS = 'task';

/** Names are unique: a second `fetch_orders` becomes `fetch_orders_2`. */
export function stepNames(descriptions: readonly string[]): readonly string[] {
  const taken = new Map<string, number>();
  return descriptions.map((description) => {
    const name = nameOf(description);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    if (count === 1) return name;
    const numbered = `${name}_${count}`;
    taken.set(numbered, 1);
    return numbered;
  });
}

function nameOf(description: string): string {
  const words = description
    .slice(0, 200)
    .replace(/https?:\/\/\S+/g, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const name = (words ?? []).slice(0, WORDS).join('_').slice(0, LONGEST).replace(/_+$/, '');
  if (name === '') return NAMELESS;
  return /^[a-z]/.test(name) ? name : `${NAMELESS}_${name}`;
}
