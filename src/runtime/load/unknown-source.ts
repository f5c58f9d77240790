// Explains entries of `capabilities` that are neither the catalog, nor a capability, nor the path of a module.
import { type Issue, issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { isGranted } from '../../contract/grant.ts';

/** The most names in a hint. */
const SHOWN = 6;

/** Issues: CAPABILITY_PATTERN_REFUSED, MODULE_NOT_FOUND. `names`: the capabilities that may be granted by name. */
export function unknownSource(source: string, names: readonly string[]): Issue {
  if (!/[*?]/.test(source)) {
    const hint =
      didYouMean(source, ['catalog', ...names]) ??
      'write catalog, the name of a capability from reconverge capabilities, or the path of a module such as ./handlers.ts';
    const message = `nothing is called "${source}": no catalog, capability or module file`;
    return issue('MODULE_NOT_FOUND', message, { hint });
  }
  const meant = names.filter((name) => isGranted(name, [source], []));
  const listed = meant.length > SHOWN ? `${meant.slice(0, SHOWN).join(', ')} and others` : meant.join(', ');
  const list = meant.length === 0 ? 'list the names of capabilities' : `list them: ${listed}`;
  return issue('CAPABILITY_PATTERN_REFUSED', 'patterns are not allowed under capabilities', {
    hint: `${list}; or write catalog, and restrict a planner with allow: [${source}]`,
  });
}
