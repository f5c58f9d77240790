// A key of a run's input as a field: its question, its form, its default, and what is wrong with it.
import { useId } from 'preact/hooks';
import type { Issue } from '../../../base/issue.ts';
import type { InputField } from '../../wire.schema.ts';

interface Props {
  readonly field: InputField;
  readonly value: string;
  readonly issues: readonly Issue[];
  readonly onInput: (value: string) => void;
}

export function InputFieldRow({ field, value, issues, onInput }: Props) {
  const id = useId();
  const { name, question, wanted, required, choices, isLong, default: usual } = field;
  const about = {
    id,
    value,
    'aria-required': required,
    'aria-invalid': issues.length > 0,
    'aria-describedby': `${id}-wanted ${issues.length > 0 ? `${id}-issues` : ''}`,
  };
  const placeholder = usual === undefined ? '' : `${usual} (default)`;
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code> {question} {required ? <b class="required">required</b> : <span class="dim">optional</span>}
      </label>
      {choices !== undefined ? (
        <select {...about} onChange={(event) => onInput(event.currentTarget.value)}>
          <option value="">{usual === undefined ? '…' : `${usual} (default)`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : isLong ? (
        <textarea
          {...about}
          rows={3}
          spellcheck={false}
          placeholder={placeholder}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <input
          {...about}
          type="text"
          inputMode={wanted.includes('number') ? 'decimal' : undefined}
          placeholder={placeholder}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      <span id={`${id}-wanted`} class="wanted dim">
        {wanted}
      </span>
      {issues.length > 0 && (
        <span id={`${id}-issues`} class="text-bad field-issue">
          {issues.map(({ message }) => message).join('; ')}
        </span>
      )}
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

export function Select({ label, value, options, onChoose }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
