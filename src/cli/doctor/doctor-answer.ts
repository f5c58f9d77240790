// The answer of `doctor --models` for machines.
import { defined } from '../../base/json.ts';
import { dollarsOf, secondsOf } from '../../budget/display-figures.ts';
import type { ProbeSpending } from '../../llm/probe/probe-model.ts';
import type { DoctorModelsAnswer } from '../answers/doctor.schema.ts';
import { type AskedProfile, isUsable } from './ask-profile.ts';

/** @param isKept true when the store remembers what was refused */
export function doctorAnswer(asked: readonly AskedProfile[], isKept: boolean): DoctorModelsAnswer {
  return {
    models: asked.map(({ name, profile, file, server, api, report, refuses, hint }) => {
      const { rows, spent, reportsUsage, parameters, failure } = report;
      return {
        profile: name,
        model: profile.model,
        server,
        api,
        ...defined({ file }),
        usable: isUsable({ report }),
        questions: rows.map(({ question, outcome, detail, ...used }) => ({
          question,
          outcome,
          detail,
          ...spentShown(used),
        })),
        parameters: parameters.map(({ name: parameter, isTaken }) => ({ parameter, sent: isTaken })),
        refuses: [...refuses],
        reports_usage: reportsUsage,
        ...spentShown(spent),
        ...(failure === undefined
          ? {}
          : { failure: { code: failure.code, message: failure.message, ...defined({ hint }) } }),
      };
    }),
    kept: isKept,
  };
}

function spentShown({ requests, refused, time, tokensIn, tokensOut, cost }: ProbeSpending) {
  return {
    requests,
    refused,
    seconds: secondsOf(time),
    tokens_in: tokensIn,
    tokens_out: tokensOut,
    ...defined({ cost_usd: cost === undefined ? undefined : dollarsOf(cost) }),
  };
}
