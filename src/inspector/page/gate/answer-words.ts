// The words on the buttons of a gate; where a yes or a no means something else, the button says what it does.
import type { GateForm } from '../../wire.schema.ts';

interface AnswerWords {
  readonly approve: string;
  readonly reject: string;
  readonly answer: string;
}

const usual: AnswerWords = { approve: 'Approve', reject: 'Reject', answer: 'Answer' };

const special: Readonly<Partial<Record<GateForm['kind'], Partial<AnswerWords>>>> = {
  outcome: { approve: 'Call it again', reject: 'Leave it out', answer: 'Give its result' },
  exhaustion: { approve: 'Converge', reject: 'Cancel the run' },
  lock: { approve: 'Go on', reject: 'Cancel the run' },
};

export function answerWords(kind: GateForm['kind']): AnswerWords {
  return { ...usual, ...special[kind] };
}
