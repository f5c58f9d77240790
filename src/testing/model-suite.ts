// A suite that holds for every model port, for any test runner with `describe` and `it`.
import type { Model } from '../llm/model.ts';
import type { Script } from '../llm/script.ts';
import type { TestRunner } from './journal-samples.ts';
import { modelFailureCases } from './model-failure-cases.ts';
import { conversationCases, pieceCases, replyCases, severalAskCases } from './model-reply-cases.ts';
import type { ModelTest } from './model-samples.ts';

export interface ModelUnderTest {
  readonly model: Model;
  remove(): Promise<void>;
}

/** `open` returns a model with the name `scripted` that answers from the script. */
export function modelSuite(
  { describe, it }: TestRunner,
  name: string,
  open: (script: Script) => Promise<ModelUnderTest>,
): void {
  const test: ModelTest = (sentence, script, body) => {
    it(sentence, async () => {
      const { model, remove } = await open(script);
      try {
        await body(model);
      } finally {
        await remove();
      }
    });
  };

  describe(`${name}: replies`, () => {
    replyCases(test);
    conversationCases(test);
  });
  describe(`${name}: pieces`, () => pieceCases(test));
  describe(`${name}: failures`, () => modelFailureCases(test));
  describe(`${name}: several requests`, () => severalAskCases(test));
}
