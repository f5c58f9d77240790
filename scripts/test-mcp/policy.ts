// The policy table of docs/mcp.md as code: the declaration that follows from a server's description of a tool.
import { type Json, ownProperty } from '../../src/base/json.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { approvalFor } from '../../src/contract/effects-policy.ts';

const DESTROYS =
  /(?:^|[^a-z])(?:delete|remove|drop|destroy|erase|purge|kill|terminate|uninstall|clear|revoke|truncate)(?:[^a-z]|$)/;

interface Rule {
  readonly reads: boolean;
  readonly destroys: boolean;
  readonly repeat: 'safe' | 'never';
}

function ruleFor(tool: Json): Rule {
  const hints = ownProperty(tool, 'annotations');
  const says = (hint: string): boolean => ownProperty(hints, hint) === true;
  const name = String(ownProperty(tool, 'name'))
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  const isDestroyer = DESTROYS.test(name);
  const reads = says('readOnlyHint') && !isDestroyer;
  return {
    reads,
    destroys: !reads && (says('destructiveHint') || isDestroyer),
    repeat: reads || says('idempotentHint') ? 'safe' : 'never',
  };
}

/** Lists the differences between a declaration and the table. */
export function breaches(tool: Json, declaration: Declaration): readonly string[] {
  const { reads, destroys, repeat } = ruleFor(tool);
  const { name, effects } = declaration;
  const found: string[] = [];
  const expect = (what: string, is: unknown, should: unknown): void => {
    if (is !== should) found.push(`${name}: ${what} is ${is}, the table says ${should}`);
  };
  const planned = approvalFor(declaration, undefined, 'grafted');
  const own = approvalFor(declaration, undefined, 'authored');
  expect('read', effects.includes('read'), reads);
  expect('write', effects.includes('write'), !reads);
  expect('delete', effects.includes('delete'), destroys);
  expect('repeat', declaration.repeat, repeat);
  expect('approval in a plan', planned.verdict, reads ? 'free' : 'ask');
  expect('approval of each call', planned.verdict === 'ask' && planned.each, destroys);
  expect("approval in a template's own step", own.verdict, destroys ? 'ask' : 'free');
  return found;
}
