// The form of a gate: yes and no, an answer with fields, or another plan.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { FormField, GateForm, GateReply } from '../../wire.schema.ts';
import { useSending } from '../orders/sending.ts';
import { Sent } from '../orders/sent.tsx';
import { Field, Text } from '../parts/field.tsx';
import { callOneself, name } from '../state/ordering.ts';
import { replyTo } from '../state/server.ts';

export function GateFormFields({ run, form }: { readonly run: string; readonly form: GateForm }) {
  const { refused, state, send } = useSending();
  const why = useSignal('');
  const fields = useSignal<Readonly<Record<string, string>>>({});
  const text = useSignal('');
  const plan = useSignal(form.plan ?? '');

  const reply = async (said: GateReply): Promise<void> => {
    await send((key) => replyTo(run, form.gate, { ...said, key, why: why.value, by: name.value }));
  };
  const asksAnswer = form.verdicts.includes('answer') && !form.consent;
  const answer: GateReply =
    form.fields.length === 0 ? { verdict: 'answer', text: text.value } : { verdict: 'answer', fields: fields.value };
  const isSending = state.value === 'sending';
  const button = (label: string, said: GateReply, kind: string) => (
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
            <Asked
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
          label="The plan, in YAML: change it and send it, or approve it as it is"
          rows={18}
          value={plan.value}
          onInput={(value) => {
            plan.value = value;
          }}
        />
      )}
      <Text
        label="Why, or a note (may be left empty)"
        value={why.value}
        onInput={(value) => {
          why.value = value;
        }}
      />
      <Field label="Who answers (unless said, who serves this page)" value={name.value} onInput={callOneself} />
      <Sent refused={refused} state={state} />
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

function Asked({
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
        <code>{named}</code> {question} {!required && <span class="dim">(may be left empty)</span>}
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
