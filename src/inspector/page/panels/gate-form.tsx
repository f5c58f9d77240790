// The form of a gate: yes and no, an answer with fields, or another plan.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { FormField, GateAnswer, GateForm } from '../../wire.schema.ts';
import { SendStatus, useSending } from '../orders/send-order.tsx';
import { Field, Text } from '../parts/field.tsx';
import { name, rememberName } from '../state/order-state.ts';
import { answerGate } from '../state/server.ts';

export function GateFormFields({ run, form }: { readonly run: string; readonly form: GateForm }) {
  const { refused, state, send } = useSending();
  const why = useSignal('');
  const fields = useSignal<Readonly<Record<string, string>>>({});
  const text = useSignal('');
  const plan = useSignal(form.plan ?? '');

  const reply = async (said: GateAnswer): Promise<void> => {
    await send((key) => answerGate(run, form.gate, { ...said, key, why: why.value, by: name.value }));
  };
  const asksAnswer = form.verdicts.includes('answer') && !form.consent;
  const answer: GateAnswer =
    form.fields.length === 0 ? { verdict: 'answer', text: text.value } : { verdict: 'answer', fields: fields.value };
  const isSending = state.value === 'sending';
  const button = (label: string, said: GateAnswer, kind: string) => (
    <button type="button" class={kind} disabled={isSending} data-verdict={said.verdict} onClick={() => reply(said)}>
      {label}
    </button>
  );

  return (
    <form class="gate-form" onSubmit={(event) => event.preventDefault()}>
      {asksAnswer &&
        (form.fields.length === 0 ? (
          <Text
            label={`Answer: ${form.wanted ?? 'anything'}`}
            value={text.value}
            onInput={(value) => {
              text.value = value;
            }}
          />
        ) : (
          form.fields.map((field) => (
            <AnswerField
              key={field.name}
              field={field}
              value={fields.value[field.name] ?? ''}
              onInput={(value) => {
                fields.value = { ...fields.value, [field.name]: value };
              }}
            />
          ))
        ))}
      {form.verdicts.includes('edit') && (
        <Text
          label="The plan in YAML: change it and send it, or approve it unchanged"
          rows={18}
          value={plan.value}
          onInput={(value) => {
            plan.value = value;
          }}
        />
      )}
      <Text
        label="Reason or note (optional)"
        value={why.value}
        onInput={(value) => {
          why.value = value;
        }}
      />
      <Field
        label="Your name (optional; by default the user who serves this page)"
        value={name.value}
        onInput={rememberName}
      />
      <SendStatus refused={refused} state={state} />
      <div class="verdicts">
        {asksAnswer && button('Answer', answer, 'primary')}
        {form.verdicts.includes('edit') &&
          plan.value !== form.plan &&
          button('Send the edited plan', { verdict: 'edit', plan: plan.value }, 'primary')}
        {form.verdicts.includes('approve') &&
          (form.consent || !asksAnswer) &&
          button('Approve', { verdict: 'approve' }, plan.value === (form.plan ?? '') ? 'primary' : '')}
        {form.kind === 'approval' &&
          form.wider &&
          button('Approve all such calls', { verdict: 'approve', grant: 'capability' }, '')}
        {form.verdicts.includes('reject') && button('Reject', { verdict: 'reject' }, 'danger')}
      </div>
    </form>
  );
}

function AnswerField({
  field,
  value,
  onInput,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const id = useId();
  const { name: named, question, required, choices } = field;
  return (
    <div class="field">
      <label for={id}>
        <code>{named}</code> {question} {!required && <span class="dim">(optional)</span>}
      </label>
      {choices === undefined ? (
        <input id={id} type="text" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <select id={id} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          <option value="">…</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
