// The decision at a gate: fields and the plan first, then the evidence, and docked below it the notes and the answers.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { GateAnswer, GateForm } from '../../wire.schema.ts';
import { SendStatus, useSending } from '../orders/send-order.tsx';
import { Field, Text } from '../parts/field.tsx';
import { focusNotes, goToNextGate } from '../state/gates.ts';
import { name, rememberName } from '../state/order-state.ts';
import { answerGate } from '../state/server.ts';
import { AnswerFields } from './answer-fields.tsx';
import { answerWords } from './answer-words.ts';

interface Props {
  readonly run: string;
  readonly form: GateForm;
  readonly evidence: ComponentChildren;
}

export function GateDecision({ run, form, evidence }: Props) {
  const { refused, state, send } = useSending();
  const why = useSignal('');
  const fields = useSignal<Readonly<Record<string, string>>>({});
  const text = useSignal('');
  const plan = useSignal(form.plan ?? '');
  const reply = async (said: GateAnswer): Promise<void> => {
    const answered = await send((key) => answerGate(run, form.gate, { ...said, key, why: why.value, by: name.value }));
    if (answered.ok && !answered.pending) goToNextGate(form.gate);
  };
  const asksAnswer = form.verdicts.includes('answer') && !form.consent;
  const answer: GateAnswer =
    form.fields.length === 0 ? { verdict: 'answer', text: text.value } : { verdict: 'answer', fields: fields.value };
  const isEdited = form.verdicts.includes('edit') && plan.value !== form.plan;
  const words = answerWords(form.kind);
  const button = (label: string, said: GateAnswer, kind: string) => (
    <button
      type="button"
      class={kind}
      disabled={state.value === 'sending'}
      data-verdict={said.verdict}
      onClick={() => reply(said)}
    >
      {label}
    </button>
  );
  return (
    <form class="gate-form" onSubmit={(event) => event.preventDefault()}>
      {asksAnswer && <AnswerFields form={form} fields={fields} text={text} />}
      {form.verdicts.includes('edit') && (
        <Text
          label="The plan in YAML: change it and send it, or approve it unchanged"
          rows={12}
          value={plan.value}
          onInput={(value) => {
            plan.value = value;
          }}
        />
      )}
      {evidence}
      <Field
        label="Your name (optional; by default the user who serves this page)"
        value={name.value}
        onInput={rememberName}
      />
      <div class="gate-dock">
        <SendStatus refused={refused} state={state} />
        <Notes
          value={why.value}
          onInput={(value) => {
            why.value = value;
          }}
        />
        <div class="verdicts">
          {form.verdicts.includes('reject') && button(words.reject, { verdict: 'reject' }, 'danger')}
          {form.verdicts.includes('approve') &&
            (form.kind !== 'review' || form.consent) &&
            button(words.approve, { verdict: 'approve' }, isEdited || asksAnswer ? '' : 'primary')}
          {asksAnswer && button(words.answer, answer, 'primary')}
          {isEdited && button('Send the edited plan', { verdict: 'edit', plan: plan.value }, 'primary')}
          {form.kind === 'approval' &&
            form.wider &&
            button('Approve all such calls', { verdict: 'approve', grant: 'capability' }, '')}
        </div>
      </div>
    </form>
  );
}

function Notes({ value, onInput }: { readonly value: string; readonly onInput: (value: string) => void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!focusNotes.peek()) return;
    focusNotes.value = false;
    box.current?.focus();
  }, []);
  return (
    <textarea
      ref={box}
      class="notes"
      rows={1}
      aria-label="Notes (optional; kept with the run)"
      placeholder="Notes (optional)"
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
