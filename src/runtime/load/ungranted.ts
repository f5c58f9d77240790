// Explains calls of catalog capabilities that a template does not grant, and offers to grant them.
import type { Issue } from '../../base/issue.ts';
import { mendOf } from '../../template/mend/mend.ts';
import type { DocumentTree } from '../../template/parse/tree.ts';

/** @param names reads the names that `capabilities` may list; only called when an issue may be about one of them */
export async function offerGrants(
  issues: readonly Issue[],
  tree: DocumentTree | undefined,
  names: () => Promise<readonly string[]>,
): Promise<readonly Issue[]> {
  if (tree === undefined || !issues.some(({ code }) => code === 'CAPABILITY_UNKNOWN')) return issues;
  const known = await names();
  return issues.map((each) => {
    const name = /^no granted capability is called "(.+)"$/.exec(each.message)?.[1];
    if (name === undefined || each.place?.file !== tree.file || !known.includes(name)) return each;
    const { mend: _, ...rest } = each;
    const granted = { ...rest, message: `"${name}" is not granted`, hint: `grant it: add ${name} to capabilities` };
    const mend = mendOf(granted, tree);
    return mend === undefined ? granted : { ...granted, mend };
  });
}
