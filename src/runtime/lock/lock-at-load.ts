// Compares the servers of a template with the lock file when the template is loaded.
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { defaultLock } from '../../template/keys/lock.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import { differencesOf, differenceText, type LockDifference, lockCommand } from '../../template/lock/difference.ts';
import { LOCK_FILE, lockedTools } from '../../template/lock/lock-file.ts';
import type { Template } from '../../template/template.ts';
import { lockNear } from './lock-near.ts';
import { serversOf } from './template-servers.ts';

/** Lists the tools of a server. Issues: MCP_… */
export type ListedBy = (server: McpServer, folder: string) => Promise<Result<readonly Json[]>>;

/** The template that is compared with the lock file, or the part of it that could be read. */
type LockSubject = Pick<Template, 'file' | 'sources' | 'models' | 'lock'>;

/**
 * Returns the differences that a person is asked about; other differences are warnings. Without `listed`, servers are not
 * asked and only the lock file itself is checked. `beside` is the template's folder. Issues: LOCK_UNREADABLE, LOCK_VERSION_UNKNOWN, LOCK_MISSING, LOCK_DIFFERS.
 */
export async function lockAtLoad(
  template: LockSubject,
  beside: string,
  listed: ListedBy | undefined,
): Promise<Result<readonly LockDifference[]>> {
  const servers = serversOf(template);
  const { tools, models } = template.lock ?? defaultLock;
  const isNeeded =
    (tools !== 'off' && servers.length > 0) || (models !== 'off' && Object.keys(template.models).length > 0);
  if (!isNeeded) return good([]);
  const read = await lockNear(beside);
  if (!read.ok) return read;
  if (read.value === undefined) return good([], template.lock === undefined ? [] : [missing(template)]);
  if (tools === 'off' || listed === undefined) return good([]);
  const { lock } = read.value;
  const found: { readonly server: string; readonly differences: readonly LockDifference[] }[] = [];
  for (const server of servers) {
    const now = await listed(server, beside);
    if (!now.ok) return bad(now.error);
    const differences = differencesOf(server.name, lockedTools(lock, server.name), now.value);
    found.push({ server: server.name, differences });
  }
  const warnings = found.flatMap(({ server, differences }) =>
    differences.map((each) => differs(each, server, tools, template)),
  );
  return good(tools === 'ask' ? found.flatMap(({ differences }) => differences) : [], warnings);
}

function missing({ file }: LockSubject): Issue {
  return issue('LOCK_MISSING', `the template has \`lock:\`, but there is no ${LOCK_FILE}`, {
    severity: 'warning',
    path: ['lock'],
    hint: `write it: ${lockCommand('', file)}`,
  });
}

function differs(difference: LockDifference, server: string, mode: 'ask' | 'warn', { file }: LockSubject): Issue {
  const what = `a tool differs from ${LOCK_FILE}: ${differenceText(difference)}`;
  return issue('LOCK_DIFFERS', mode === 'ask' ? `${what}; a run asks a person first` : what, {
    severity: 'warning',
    path: ['capabilities', server],
    hint: `see the difference: ${lockCommand('--check', file)}`,
  });
}

/** The template for a replay or a dry run, which calls no tools and asks nobody about their differences. */
export function withoutDifferences(template: Template): Template {
  const { differs: _, templates, ...rest } = template;
  if (templates === undefined) return rest;
  const children = Object.entries(templates).map(([name, child]) => {
    return [name, { ...child, template: withoutDifferences(child.template) }] as const;
  });
  return { ...rest, templates: Object.fromEntries(children) };
}
