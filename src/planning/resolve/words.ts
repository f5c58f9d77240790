// Words of names and sentences: taken apart, and brought to the form in which they can be compared.

/** The words of `list_issues`, `listIssues`, `list-issues`, `db.listTables` or `HTTPServer`, in lower case. */
export function partsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '');
}

const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  indices: 'index',
  indexes: 'index',
  children: 'child',
  men: 'man',
  women: 'woman',
  data: 'data',
  criteria: 'criterion',
  schemata: 'schema',
  statuses: 'status',
  aliases: 'alias',
};

/** One of many: `-s`, `-es`, `-ies`; `status`, `class` and `analysis` stay. */
export function singular(word: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is|news|always)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(x|z|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

export function isPlural(word: string): boolean {
  return word !== 'data' && singular(word) !== word;
}

/** The forms that a verb may have without its ending, likeliest first: `stopped` is `stop`, `merging` is `merge`. */
export function verbForms(word: string): readonly string[] {
  const forms = [word, singular(word)];
  const again = /^re-?(?=\p{L}{3})/u.exec(word)?.[0];
  for (const ending of ['ing', 'ed', 'd']) {
    if (!word.endsWith(ending) || word.length - ending.length < 2) continue;
    const stem = word.slice(0, -ending.length);
    forms.push(`${stem}e`, stem);
    if (stem.at(-1) === stem.at(-2)) forms.push(stem.slice(0, -1));
    if (stem.endsWith('i')) forms.push(`${stem.slice(0, -1)}y`);
  }
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  if (again !== undefined) forms.push(...verbForms(word.slice(again.length)));
  return [...new Set(forms)];
}
