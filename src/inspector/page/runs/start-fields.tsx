// The settings of a start: the input, limits, models and planners, the bound that follows from them, and the start itself.
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Issue } from '../../../base/issue.ts';
import { defined } from '../../../base/json.ts';
import type { Duration } from '../../../base/quantity.ts';
import type { Line } from '../../../view/line.ts';
import type { BoundRequest, StartForm } from '../../wire.schema.ts';
import { useSending } from '../orders/send-order.tsx';
import { Field, Text } from '../parts/field.tsx';
import { Issues } from '../parts/issues.tsx';
import { Lines } from '../parts/lines.tsx';
import { name, rememberName } from '../state/order-state.ts';
import { boundOf, startRun } from '../state/server.ts';
import { InputFieldRow, Select } from './input-field.tsx';

type Texts = Readonly<Record<string, string>>;

interface Props {
  readonly form: StartForm;
  readonly onEnvironment: (environment: string) => void;
  readonly onClose: () => void;
  readonly onStarted: (run: string) => void;
}

/** The bound, for the settings that it was asked for. */
interface AskedBound {
  readonly of: string;
  readonly lines?: readonly Line[];
  readonly issues: readonly Issue[];
}

/** The bound is asked for when nothing was typed for this long. */
const PAUSE: Duration = 350;

export function StartFields({ form, onEnvironment, onClose, onStarted }: Props) {
  const { file, environment, environments } = form;
  const fields = useSignal<Texts>(
    Object.fromEntries(form.fields.flatMap((each) => (each.value === undefined ? [] : [[each.name, each.value]]))),
  );
  const text = useSignal(form.value ?? '');
  /** A form that nobody has typed into does not say what it lacks. */
  const isTouched = useSignal(form.fields.some(({ value }) => value !== undefined));
  const budget = useSignal<Texts>({});
  const chosenModels = useSignal<Texts>({});
  const chosenPlanners = useSignal<Texts>({});
  const { refused, state, send } = useSending();

  const request: BoundRequest = {
    ...{ file, fields: fields.value, text: text.value, budget: budget.value },
    ...{ models: chosenModels.value, planners: chosenPlanners.value },
    ...defined({ environment }),
  };
  const bound = useBound(request);
  const found = [...(bound.asked?.issues ?? []), ...refused.value];
  const isReady = bound.isCurrent && bound.asked?.lines !== undefined && bound.asked.issues.length === 0;
  const rest = found.filter((each) => !form.fields.some((field) => isAbout(each, field.name)));
  const submit = async (): Promise<void> => {
    const answered = await send((once) => startRun({ ...request, key: once, by: name.value }));
    if (answered.ok && answered.run !== undefined) onStarted(answered.run);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        return submit();
      }}
    >
      <p class="dim">
        <code>{file}</code> {form.description}
      </p>
      {environments.length > 0 && (
        <Select
          label="Environment"
          value={environment ?? ''}
          options={[['', 'none'], ...environments.map((each): [string, string] => [each, each])]}
          onChoose={onEnvironment}
        />
      )}
      {form.fields.map((field) => (
        <InputFieldRow
          key={field.name}
          field={field}
          value={fields.value[field.name] ?? ''}
          issues={isTouched.value ? found.filter((each) => isAbout(each, field.name)) : []}
          onInput={(value) => {
            isTouched.value = true;
            set(fields, field.name, value);
          }}
        />
      ))}
      {form.fields.length === 0 && (
        <Text
          label={form.wanted === undefined ? 'Input (the template asks for none)' : `Input: ${form.wanted}`}
          value={text.value}
          onInput={(value) => {
            text.value = value;
          }}
        />
      )}
      <Settings form={form} budget={budget} models={chosenModels} planners={chosenPlanners} />
      <section class="bound" aria-live="polite" aria-busy={!bound.isCurrent}>
        {bound.asked === undefined && <p class="dim">finding the bound …</p>}
        {bound.asked?.lines !== undefined && <Lines lines={bound.asked.lines} />}
        {rest.length > 0 && <Issues issues={rest} />}
      </section>
      <Field
        label="Your name (optional; by default the user who serves this page)"
        value={name.value}
        onInput={rememberName}
      />
      <div class="verdicts">
        <button type="submit" class="primary" disabled={!isReady || state.value === 'sending'}>
          Start
        </button>
        <button type="button" onClick={onClose}>
          Do not start it
        </button>
      </div>
    </form>
  );
}

/** Asks for the bound after each change, and says whether the answer is for these settings. */
function useBound(request: BoundRequest) {
  const asked = useSignal<AskedBound | undefined>(undefined);
  const key = JSON.stringify(request);
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const reply = await boundOf(request);
      if (!isWanted) return;
      const lines = reply.ok && 'lines' in reply ? reply.lines : undefined;
      const issues = 'issues' in reply ? reply.issues : [];
      asked.value = { of: key, issues, ...defined({ lines }) };
    };
    const timer = setTimeout(ask, asked.peek() === undefined ? 0 : PAUSE);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  return { asked: asked.value, isCurrent: asked.value?.of === key };
}

interface SettingsProps {
  readonly form: StartForm;
  readonly budget: Signal<Texts>;
  readonly models: Signal<Texts>;
  readonly planners: Signal<Texts>;
}

function Settings({ form: { limits, models, planners }, budget, ...chosen }: SettingsProps) {
  return (
    <>
      <Part title="Limits" isShown={limits.length > 0}>
        <p class="dim">An empty field keeps the limit of the template. Limits may be tighter or looser.</p>
        <div class="limits">
          {limits.map(({ key: named, limit }) => (
            <Field
              key={named}
              label={<code>{named}</code>}
              placeholder={limit}
              value={budget.value[named] ?? ''}
              onInput={(value) => set(budget, named, value)}
            />
          ))}
        </div>
      </Part>
      <Part title="Models and planners" isShown={models.length + planners.length > 0}>
        {models.map(({ profile, model }) => (
          <Field
            key={profile}
            label={
              <>
                Model of <code>{profile}</code>
              </>
            }
            placeholder={model}
            value={chosen.models.value[profile] ?? ''}
            onInput={(value) => set(chosen.models, profile, value)}
          />
        ))}
        {planners.map(({ step, kind }) => (
          <Select
            key={step}
            label={`Planner of ${step}`}
            value={chosen.planners.value[step] ?? ''}
            options={[
              ['', `as in the template (${kind})`],
              ...models.map(({ profile }): [string, string] => [profile, `the model ${profile}`]),
            ]}
            onChoose={(value) => set(chosen.planners, step, value)}
          />
        ))}
      </Part>
    </>
  );
}

function set(texts: Signal<Texts>, key: string, value: string): void {
  texts.value = { ...texts.value, [key]: value };
}

/** Issues of a required key that is absent name it in their message only, or in their path. */
function isAbout({ code, path }: Issue, field: string): boolean {
  return code === 'INPUT_INVALID' && path[0] === 'input' && path[1] === field;
}

interface PartProps {
  readonly title: string;
  readonly isShown: boolean;
  readonly children: ComponentChildren;
}

function Part({ title, isShown, children }: PartProps) {
  if (!isShown) return null;
  return (
    <details class="fold">
      <summary>{title}</summary>
      <div class="fold-inside">{children}</div>
    </details>
  );
}
