// Names of a server's tools as capabilities are named: `github.list_issues` for the tool `listIssues` of `github`.

/** The name of each tool, by its own name; two that would be called the same are numbered, whatever the server's order. */
export function toolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of [...new Set(tools)].sort()) {
    const plain = `${server}.${acceptable(tool)}`;
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    taken.add(name);
    names.set(tool, name);
  }
  return names;
}

/** Lower-case words: `getStructuredContent` and `get-structured-content` alike become `get_structured_content`. */
function acceptable(tool: string): string {
  const words = tool
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '_')
    .split('.')
    .map((part) => part.replace(/^_+|_+$/g, ''))
    .filter((part) => part !== '')
    .map((part) => (/^[a-z]/.test(part) ? part : `tool_${part}`));
  return words.length === 0 ? 'tool' : words.join('.');
}
