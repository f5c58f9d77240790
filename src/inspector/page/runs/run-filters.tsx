// The filters above the list of runs: chips with counts, and fields for template, time, cost and order.
import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { FilterName } from '../../../view/runs/read-filter.ts';
import { sortKeys } from '../../../view/runs/run-filter.ts';
import { place } from '../state/place.ts';
import { isReadOnly } from '../state/run.ts';
import { chipCounts, chips, choose, chosenChip, ordering, problemOf, setFilter, templates } from '../state/run-list.ts';
import { NEW } from './start-dialog.tsx';

/** Undefined until a person opens or closes the fields. */
const areFieldsOpen = signal<boolean | undefined>(undefined);

const ofFields: readonly FilterName[] = ['template', 'since', 'until', 'cost', 'took', 'sort', 'reverse'];

export function RunFilters() {
  const isInUse = ofFields.some((name) => (place.value.filters[name] ?? '') !== '');
  const isOpen = areFieldsOpen.value ?? isInUse;
  const toggle = (): void => {
    areFieldsOpen.value = !isOpen;
  };
  return (
    <div class="run-filters">
      <fieldset class="chips">
        <legend class="unseen">Filters</legend>
        {chips.map((chip) => (
          <button
            key={chip.name}
            type="button"
            class="chip"
            data-chip={chip.name}
            aria-pressed={chosenChip.value?.name === chip.name}
            onClick={() => choose(chip)}
          >
            {chip.sign !== '' && <span aria-hidden="true">{chip.sign} </span>}
            {chip.label} <span class="number">{chipCounts.value[chip.name].toLocaleString('en')}</span>
          </button>
        ))}
        {chosenChip.value === undefined && (
          <button type="button" class="chip" aria-pressed onClick={() => choose(chips[0])}>
            {place.value.filters.status ?? 'other'} ×
          </button>
        )}
      </fieldset>
      {!isReadOnly.value && (
        <button type="button" class="primary start-run" onClick={() => setFilter('start', NEW)}>
          Start a run …
        </button>
      )}
      <button type="button" class="quiet more-filters" aria-expanded={isOpen} onClick={toggle}>
        {orderText[ordering.value.by]}
        {ordering.value.isReversed && ', reversed'} · filter and sort {isOpen ? '▴' : '▾'}
      </button>
      {isOpen && <Fields />}
    </div>
  );
}

function Fields() {
  return (
    <div class="filter-fields">
      <Choice
        name="template"
        label="Template"
        options={[['', 'all'], ...templates.value.map((each): [string, string] => [each, each])]}
      />
      <FilterField name="since" label="Since" placeholder="2d" list={['1h', 'today', '1d', '7d', '30d']} />
      <FilterField name="until" label="Until" placeholder="today" list={['yesterday', 'today']} />
      <FilterField name="cost" label="Cost" placeholder=">1" list={['>0.10', '>1', '1..5']} />
      <FilterField name="took" label="Took" placeholder=">10m" list={['>1m', '>10m', '>1h']} />
      <Choice
        name="sort"
        label="Sort"
        options={sortKeys.map((key): [string, string] => [key === 'started' ? '' : key, orderText[key]])}
      />
      <label class="filter-check">
        <input
          type="checkbox"
          checked={(place.value.filters.reverse ?? '') !== ''}
          onChange={(event) => setFilter('reverse', event.currentTarget.checked ? 'yes' : '')}
        />
        reversed
      </label>
    </div>
  );
}

const orderText: Readonly<Record<(typeof sortKeys)[number], string>> = {
  started: 'newest, by template',
  duration: 'longest',
  cost: 'dearest',
  steps: 'most steps',
  failed: 'most failures',
};

interface ChoiceProps {
  readonly name: FilterName;
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
}

/** A value of the address that is not among the options is one more option. */
function Choice({ name, label, options }: ChoiceProps) {
  const id = useId();
  const value = place.value.filters[name] ?? '';
  const known = options.some(([option]) => option === value) ? options : [...options, [value, value] as const];
  return (
    <span class="filter-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => setFilter(name, event.currentTarget.value)}>
        {known.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

interface FilterFieldProps {
  readonly name: FilterName;
  readonly label: string;
  readonly placeholder: string;
  readonly list: readonly string[];
}

function FilterField({ name, label, placeholder, list }: FilterFieldProps) {
  const id = useId();
  const problem = problemOf(name);
  return (
    <span class="filter-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        size={8}
        list={`${id}-known`}
        value={place.value.filters[name] ?? ''}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => setFilter(name, event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {list.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {problem !== undefined && (
        <span id={`${id}-problem`} class="filter-problem text-bad">
          {label} {problem.message}
        </span>
      )}
    </span>
  );
}
