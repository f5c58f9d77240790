// Mends dependencies: a step that waits for itself, and steps that should wait for another.
import { nodeAtPath, type OutlineMap, type OutlineNode, outlineValue } from '../parse/outline.ts';
import { isScalar, withoutItem, withWord } from './edits.ts';
import type { Correction, MendingCase } from './rule.ts';

const DEPENDENCY_KEYS = ['dependencies', 'depends_on', 'requires'];

export function waiting(given: MendingCase): Correction | undefined {
  const { issue, outline, node } = given;
  switch (issue.code) {
    case 'DEPENDENCY_SELF': {
      const list = nodeAtPath(outline, issue.path.slice(0, -1));
      const index = issue.path.at(-1);
      if (list?.kind !== 'list' || typeof index !== 'number' || !isScalar(node)) return undefined;
      return { title: `Remove the dependency "${node.text}"`, edits: [withoutItem(outline, list, index)] };
    }
    // The node names the step that has to wait for the step that holds it.
    case 'BRANCH_NOT_DEPENDENT':
    case 'CONVERGENCE_TARGET_NOT_DEPENDENT': {
      const own = nameIn(nodeAtPath(outline, issue.path.slice(0, 2)));
      const other = isScalar(node) ? stepNamed(given, node.text) : undefined;
      if (own === undefined || other === undefined || !isScalar(node)) return undefined;
      return {
        title: `Add "${own}" to the dependencies of "${node.text}"`,
        edits: [withWord(outline, other, DEPENDENCY_KEYS, own)],
      };
    }
    default:
      return undefined;
  }
}

function stepNamed({ outline }: MendingCase, name: string): OutlineMap | undefined {
  const steps = nodeAtPath(outline, ['steps']);
  const found = steps?.kind === 'list' ? steps.items.filter((step) => nameIn(step) === name) : [];
  const [only, another] = found;
  return another === undefined && only?.kind === 'map' ? only : undefined;
}

function nameIn(step: OutlineNode | undefined): string | undefined {
  if (step?.kind !== 'map') return undefined;
  const entry = step.entries.find(({ key }) => key === 'name');
  const name = entry === undefined ? null : outlineValue(entry.value);
  return typeof name === 'string' ? name : undefined;
}
