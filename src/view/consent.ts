// Tells whether a gate only asks for a yes or a no.

import { neededOf } from '../contract/describe-contract.ts';
import { propertiesOf, type Schema, schemaOf, typesOf } from '../contract/schema.ts';
import { checkDecision, gateAnswers } from '../engine/gates/gate-answers.ts';
import type { Gate } from '../engine/state/state.ts';

export function wantsConsent(gate: Pick<Gate, 'id' | 'kind' | 'decision'>): boolean {
  const { verdicts, contract } = gateAnswers(gate);
  if (contract === undefined) return true;
  return isConsent(contract) && verdicts.includes('approve') && checkDecision(gate, { verdict: 'approve' }).ok;
}

/** True if the contract requires nothing but one boolean. */
function isConsent(contract: Schema): boolean {
  const [only, ...others] = neededOf(contract);
  return (
    only !== undefined && others.length === 0 && typesOf(schemaOf(propertiesOf(contract)[only])).includes('boolean')
  );
}
