// Tells which YAML and JSON texts of an editor are templates, so that other files get no errors.
import { entryOf, type Outline, outlineValue } from '../../template/parse/outline.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import { isScenarioFile } from '../../testing/scenarios/read-scenarios.ts';

/** Keys that no other YAML with `steps` has at its top. */
const OWN_KEYS = [
  'capabilities',
  'budget',
  'planners',
  'convergence_target',
  'critic',
  'environments',
  'capture_content',
];
/** Keys of our steps that steps of other tools do not have. */
const STEP_KEYS = ['handler', 'dependencies', 'convergence', 'planner', 'branches', 'for_each'];

/**
 * Undefined for a text that is not ours. A text that was a template stays one while its first line is being changed.
 * @param language the editor's language of the document
 */
export function kindOf(
  path: string,
  language: string,
  outline: Outline,
  before: DocumentKind | undefined,
): DocumentKind | undefined {
  if (isScenarioFile(path)) return 'scenarios';
  const { root } = outline;
  if (entryOf(root, 'reconverge') !== undefined) return 'template';
  if (before === 'template' || language === 'reconverge') return 'template';
  const steps = entryOf(root, 'steps')?.value;
  if (steps?.kind !== 'list') return undefined;
  if (OWN_KEYS.some((key) => entryOf(root, key) !== undefined)) return 'template';
  const isOurs = steps.items.some((step) => STEP_KEYS.some((key) => entryOf(step, key) !== undefined));
  if (!isOurs) return undefined;
  const value = outlineValue(root);
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.every((key) => ['steps', 'agents', 'models', 'skills'].includes(key)) ? 'include' : 'template';
}
