// Prints the gates of a step.
import { counted } from '../../base/counted.ts';
import { unreachable } from '../../base/fault.ts';
import { durationText } from '../../base/quantity.ts';
import type { StoredValue } from '../../engine/record/event-parts.schema.ts';
import { expiryText } from '../expiry-text.ts';
import { grantText } from '../grant-text.ts';
import { instantText } from '../instant-text.ts';
import type { WhyGate } from './why-gate.ts';

/** The question, and its outcome below. */
export function whyGateText(gate: WhyGate): readonly string[] {
  const whose = gate.openedFor === undefined ? '' : ` of ${gate.openedFor}`;
  return [`${gate.gate} ${gate.kind}${whose}, ${instantText(gate.since)}: ${gate.prompt}`, `  ${endText(gate)}`];
}

function endText(gate: WhyGate): string {
  switch (gate.end) {
    case 'open':
      return 'open';
    case 'closed':
      return gate.kind === 'child' ? 'it went on' : 'closed: its step ended without an answer';
    case 'expired':
      return `nobody answered in ${tookText(gate)}${gate.outcome === undefined ? '' : `: ${expiryText[gate.outcome]}`}`;
    case 'decided':
      return decidedText(gate);
    default:
      return unreachable(gate.end);
  }
}

function decidedText(gate: WhyGate): string {
  const reason = gate.why === undefined ? '' : `: ${gate.why}`;
  const scope = gate.grant === undefined ? '' : ` ${grantText(gate.grant)}`;
  return `${verdictText(gate)}${scope} by ${gate.by} after ${tookText(gate)}${reason}`;
}

function verdictText({ verdict, value, proposed, decided }: WhyGate): string {
  switch (verdict) {
    case 'answer':
      return `answered ${value === undefined ? 'nothing' : keptText(value)}`;
    case 'edit': {
      const before = proposed === undefined ? '' : ` (the plan as proposed is event ${proposed}, as edited ${decided})`;
      return `edited${before}`;
    }
    case 'reject':
      return 'rejected';
    case 'approve':
    case undefined:
      return 'approved';
    default:
      return unreachable(verdict);
  }
}

function keptText(kept: StoredValue): string {
  return 'value' in kept ? JSON.stringify(kept.value) : `with ${counted(kept.bytes, 'character')} of JSON`;
}

function tookText({ at, since }: WhyGate): string {
  return durationText((at ?? since) - since);
}
