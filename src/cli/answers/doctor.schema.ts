// The JSON answers of `doctor`.
import { count, flag, list, map, number, oneOf, optional, type Static, text } from '../../base/builders.schema.ts';
import { probeNames } from '../../llm/probe/questions.ts';
import { form } from '../../view/shown.schema.ts';

export const doctor = map({
  checks: list(map({ name: text(), ok: flag(), detail: text(), hint: optional(text()) }), 'The checks.'),
});
export type DoctorAnswer = Static<typeof doctor>;

const probeSpending = {
  requests: count('The requests that were sent.'),
  refused: count('The requests that the server refused because of a feature.'),
  seconds: number(),
  tokens_in: count(),
  tokens_out: count(),
  cost_usd: optional(number('Absent when the price is not known.')),
};
export const doctorModels = map({
  models: list(
    map({
      profile: text('The name of the profile.'),
      model: text('The name of the model at its server.'),
      server: text('The address.'),
      api: oneOf(['chat', 'responses'], 'The API by which it is asked.'),
      file: optional(text('The template; absent for a model that the environment names.')),
      usable: flag('True when the model answers at all.'),
      questions: list(
        map({
          question: oneOf(probeNames),
          outcome: oneOf(['yes', 'substitute', 'no'], '`substitute`: the work gets done in another way.'),
          detail: text(),
          ...probeSpending,
        }),
        'The questions that were asked.',
      ),
      parameters: list(
        map({ parameter: text('Such as `seed: 7`.'), sent: flag('False when it is left out.') }),
        'The parameters that the profile sets.',
      ),
      refuses: list(
        map({ what: text(), instead: text('The substitute.') }),
        'The features that the server refuses, which later requests go without.',
      ),
      reports_usage: flag('False when tokens are estimated.'),
      ...probeSpending,
      failure: optional(map({ code: text(), message: text(), hint: optional(text()) }, 'Why it cannot be used.')),
    }),
    'The model profiles.',
  ),
  kept: flag('True when the store remembers what the servers refuse.'),
});
export type DoctorModelsAnswer = Static<typeof doctorModels>;
export const doctorForms = [form(doctor), form(doctorModels, 'with `--models`:')];
