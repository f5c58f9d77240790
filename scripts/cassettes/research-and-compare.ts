// The recording of research-and-compare: a plan corrected after its issues, a finding that fails its check, and a replanned step.
import type { Json } from '../../src/base/json.ts';
import type { ScriptRule } from '../../src/llm/script.ts';
import type { Recording } from './recording.ts';

/** The beginning of the system message of planners. */
const PLANS = 'You plan the next part';

const ADDS_UP =
  '(let [{:keys [items monthly_usd]} data/result] (if (= monthly_usd (sum (map :usd items))) true "the items do not add up to monthly_usd"))';

const research = (candidate: string, document: string, agent = 'researcher'): Json => ({
  name: `research_${candidate}`,
  agent,
  description: `Find out what the candidate ${candidate} costs a month for 20 TB of which 1 TB is read back, and what speaks for and against it.`,
  input: { path: `{{ input.folder }}/${document}` },
  verification: ADDS_UP,
  on_verification_failure: 'retry',
});

const outages = (column: string, capability = 'csv.aggregate'): Json => ({
  name: 'outages',
  capability,
  description: 'The figures of the table: how long each candidate could not be reached, in all.',
  input: {
    path: '{{ input.folder }}/outages.csv',
    group_by: [column],
    measures: { minutes: { op: 'sum', field: 'minutes' } },
  },
  verification: `(if (every? :${column} (:groups data/result)) true "some minutes belong to no ${column}")`,
  on_verification_failure: 'replan',
});

/** A plan with two wrong names: one of a capability and one of an agent. */
const misnamed: Json = {
  rationale: 'one researcher for each archive, and the minutes of outage from the table',
  steps: [
    research('alder', 'alder.md'),
    research('birch', 'birch.md'),
    research('cedar', 'cedar.md', 'reseacher'),
    outages('service', 'csv.agregate'),
  ],
};

/** A valid fragment that is wrong: the table calls its services archives. */
const mended: Json = {
  rationale: 'one researcher for each archive, and the minutes of outage from the table',
  steps: [
    research('alder', 'alder.md'),
    research('birch', 'birch.md'),
    research('cedar', 'cedar.md'),
    outages('service'),
  ],
};

const repaired: Json = {
  rationale: 'the table of outages has no column "service": it is called "archive"',
  steps: [outages('archive')],
};

interface Finding {
  readonly candidate: string;
  readonly items: readonly { readonly what: string; readonly usd: number }[];
  readonly monthly_usd: number;
  readonly notes: readonly string[];
}

/** The agent reads its document and replies; a second reply follows the rejected first one. */
function researcher(document: string, first: Finding, second?: Finding): readonly ScriptRule[] {
  const about = `data/archives/${document}`;
  const reads: ScriptRule = {
    when: { tool: 'files_read', contains: about, turn: 1 },
    reply: { toolCalls: [{ name: 'files_read', arguments: { path: `templates/data/archives/${document}` } }] },
    times: second === undefined ? 1 : 2,
  };
  return [
    reads,
    ...[first, ...(second === undefined ? [] : [second])].map((finding) => answers(about, document, finding)),
  ];
}

function answers(about: string, document: string, finding: Finding): ScriptRule {
  return {
    when: { tool: 'files_read', contains: about, turn: 2 },
    reply: { json: { ...finding, sources: [document] } as unknown as Json },
  };
}

const alder: Finding = {
  candidate: 'Alder',
  items: [
    { what: 'the first 10 TB at $5.00', usd: 50 },
    { what: 'the next 10 TB at $3.00', usd: 30 },
    { what: '1 TB read back at $10.00', usd: 10 },
  ],
  monthly_usd: 90,
  notes: ['two places', 'reading back takes up to 12 hours', 'a contract for a year'],
};

const birch: Finding = {
  candidate: 'Birch',
  items: [{ what: '25 TB at $3.20, the least that is billed', usd: 80 }],
  monthly_usd: 80,
  notes: ['one place', 'reading back takes minutes and is included', 'a contract for a month'],
};

/** The minimum charge is in the total and not in the items. */
const birchInHaste: Finding = { ...birch, items: [{ what: '20 TB at $3.20', usd: 64 }] };

const cedar: Finding = {
  candidate: 'Cedar',
  items: [
    { what: '20 TB at $2.50', usd: 50 },
    { what: 'base fee', usd: 15 },
    { what: '1 TB read back at $20.00', usd: 20 },
  ],
  monthly_usd: 85,
  notes: ['reading back takes up to 48 hours', 'a contract for three years', 'questions are answered in a forum'],
};

const comparison: Json = {
  winner: 'Birch',
  ranking: [
    { candidate: 'Birch', monthly_usd: 80, outage_minutes: 47 },
    { candidate: 'Cedar', monthly_usd: 85, outage_minutes: 390 },
    { candidate: 'Alder', monthly_usd: 90, outage_minutes: 12 },
  ],
  why: 'Birch costs $80 a month, the least of the three, and was out for 47 minutes in a year; Alder was out for 12, at $10 more. Reading back takes minutes, and the contract ends with any month.',
};

export const researchAndCompare: Recording = {
  template: 'research-and-compare.yaml',
  cassette: 'cassettes/research-and-compare.json',
  input: {},
  why: 'one place is enough for copies',
  script: [
    { when: { system: PLANS, contains: 'did you mean' }, reply: { json: mended } },
    { when: { system: PLANS, contains: 'some minutes belong to no service' }, reply: { json: repaired } },
    { when: { system: PLANS }, reply: { json: misnamed } },
    ...researcher('alder.md', alder),
    ...researcher('birch.md', birchInHaste, birch),
    ...researcher('cedar.md', cedar),
    { when: { system: 'You compare candidates' }, reply: { json: comparison } },
    { when: { contains: 'The reasons follow from the findings' }, reply: { json: { passes: true, diagnosis: '' } } },
  ],
};
