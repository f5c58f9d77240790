// The fields of a typed answer: one for each key of the contract, or one for the whole answer.
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { FormField, GateForm } from '../../wire.schema.ts';
import { Text } from '../parts/field.tsx';

interface Props {
  readonly form: GateForm;
  readonly fields: Signal<Readonly<Record<string, string>>>;
  readonly text: Signal<string>;
}

export function AnswerFields({ form, fields, text }: Props) {
  if (form.fields.length === 0) {
    return (
      <Text
        label={`Answer: ${form.wanted ?? 'anything'}`}
        value={text.value}
        onInput={(value) => {
          text.value = value;
        }}
      />
    );
  }
  return (
    <>
      {form.fields.map((field) => (
        <AnswerField
          key={field.name}
          field={field}
          value={fields.value[field.name] ?? ''}
          onInput={(value) => {
            fields.value = { ...fields.value, [field.name]: value };
          }}
        />
      ))}
    </>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function AnswerField({ field, value, onInput }: FieldProps) {
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
