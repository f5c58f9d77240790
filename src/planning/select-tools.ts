// Selects the tools and skills of a planner or an agent, with the reason for each.
import type { Declaration } from '../contract/declaration.ts';
import { isGranted } from '../contract/grant.ts';
import type { SkillSpec } from '../template/keys/agent.ts';

export interface ToolSelectionRequest {
  /** Globs over capability names; an empty list selects none. */
  readonly wants: readonly string[];
  /** The capabilities that may be selected. */
  readonly declarations: readonly Declaration[];
  readonly skills: readonly SkillSpec[];
  /** The context tags of the run. */
  readonly contextTags: readonly string[];
}

export interface SelectedTools {
  /** Sorted by name. */
  readonly tools: readonly { readonly declaration: Declaration; readonly why: string }[];
  /** Sorted as in the template. */
  readonly skills: readonly { readonly skill: SkillSpec; readonly why: string }[];
}

/** The order of the declarations does not change the result. */
export function selectTools({ wants, declarations, skills, contextTags }: ToolSelectionRequest): SelectedTools {
  const tools = linkTools(wants, declarations);
  const names = tools.map(({ declaration }) => declaration.name);
  return {
    tools,
    skills: skills.flatMap((skill) => {
      const why = whyToldOf(skill, names, contextTags);
      return why === undefined ? [] : [{ skill, why }];
    }),
  };
}

function linkTools(wants: readonly string[], declarations: readonly Declaration[]): SelectedTools['tools'] {
  const byName = new Map(declarations.map((each) => [each.name, each]));
  const why = new Map<string, string>();
  for (const name of [...byName.keys()].sort()) {
    const want = wants.includes(name) ? name : wants.find((each) => isGranted(name, [each], []));
    if (want !== undefined) why.set(name, want === name ? 'named' : `of ${want}`);
  }
  // The map grows while it is iterated, so needs of needs are added too.
  for (const name of why.keys()) {
    for (const needed of byName.get(name)?.needs ?? []) {
      if (byName.has(needed) && !why.has(needed)) why.set(needed, `needed by ${name}`);
    }
  }
  const inOrder = declarations.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return inOrder.flatMap((declaration) => {
    const because = why.get(declaration.name);
    return because === undefined ? [] : [{ declaration, why: because }];
  });
}

/** The reason why a skill applies, or undefined; a skill without conditions applies to everyone. */
function whyToldOf(
  { appliesTo, contextTags }: SkillSpec,
  names: readonly string[],
  tags: readonly string[],
): string | undefined {
  const tag = contextTags.find((each) => tags.includes(each));
  if (tag !== undefined) return `the run is about ${tag}`;
  const name = appliesTo.length === 0 ? undefined : names.find((each) => isGranted(each, appliesTo, []));
  if (name !== undefined) return `applies to ${name}`;
  return appliesTo.length + contextTags.length === 0 ? 'concerns everyone' : undefined;
}
