// Finding: two steps make the same call with the same input.
import { digestOf } from '../../base/digest.ts';
import { issue } from '../../base/issue.ts';
import type { Check } from '../checks/check.ts';

export const sameCall: Check = ({ fragment: { steps } }) => {
  const calls = new Map<string, string>();
  return steps.flatMap(
    ({ name, capability, agent, description = '', initialization = {}, input = null, fresh }, index) => {
      const who = capability ?? agent?.name;
      if (who === undefined || fresh === true) return [];
      const call = digestOf([who, agent === undefined ? initialization : description, input]);
      const before = calls.get(call);
      calls.set(call, before ?? name);
      if (before === undefined) return [];
      return [
        issue('CRITIC_CALL_REPEATED', `step "${name}" calls ${who} with the same input as "${before}"`, {
          severity: 'warning',
          path: ['steps', index],
          hint: `use the result of "${before}" in both places; where it must be made again, say \`fresh: true\``,
        }),
      ];
    },
  );
};
