// Check 13: the fragment is not one that has failed here before.
import { issue } from '../../base/issue.ts';
import type { Check } from '../verdict.ts';

export const checkNovelty: Check = ({ fragment: { digest }, frame: { failedDigests } }) =>
  failedDigests.has(digest)
    ? [
        issue('PLAN_REPEATS_FAILURE', 'the fragment is the same as one that has failed here', {
          path: ['steps'],
          hint: 'take another way around the step that failed, or say that it is impossible',
        }),
      ]
    : [];
