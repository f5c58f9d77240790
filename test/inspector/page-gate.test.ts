// Questions to people on a phone and with the keyboard: readable at once, answered by a button only, one after the other.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, openDoor } from '../cli/reconverge.ts';
import { chromiumPath, openPage, useBrowser } from './browser.ts';
import { inspect } from './inspect.ts';

const child = `
reconverge: 1
name: child
description: Asks a person.
steps:
  - { name: look, type: human_review, prompt: The child has finished. May its result be used? }
`;

const asking = `
reconverge: 1
name: asking
capabilities: [./handlers.ts, { template: ./child.yaml }]
steps:
  - { name: sub, handler: child, input: {} }
  - name: size
    type: human_review
    prompt: How large shall it be?
    decision:
      type: object
      required: [count]
      properties: { count: { type: integer, minimum: 1 } }
  - { name: agree, type: human_review, prompt: May the note be written? }
  - { name: note, handler: door.note, dependencies: [agree], input: { name: note } }
`;

const reading = (page: Page, question: string) => page.getByRole('heading', { name: question });

describe.skipIf(chromiumPath === undefined)('a question to people', () => {
  useBrowser();

  it('is read and answered on a phone without scrolling, and the next one follows, also of a child run', async () => {
    const cwd = openDoor({ 'child.yaml': child, 'asking.yaml': asking });
    expect((await call(['run', 'asking.yaml'], { cwd })).code).toBe(3);
    const page = await openPage((await inspect(cwd)).url);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('heading', { name: /^Waiting for you \(1 of 3\): / }).waitFor();
    await page.keyboard.press('a');
    const questions = ['May its result be used?', 'How large shall it be?', 'May the note be written?'];
    for (let left = questions.length; left > 0; left -= 1) {
      const title = page.locator('.gate-panel .panel-head h2');
      await title.waitFor();
      const question = (await title.textContent()) ?? '';
      expect(questions).toContain(question);
      await reading(page, question).waitFor();
      const dock = page.locator('.gate-dock');
      const buttons = dock.locator('.verdicts button');
      await buttons.first().waitFor();
      const screen = { top: 0, bottom: 844, left: 0, right: 390 };
      for (const each of [title, ...(await buttons.all())]) {
        const box = await each.boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(screen.top);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(screen.bottom);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(screen.right);
      }
      const [reject, yes] = await Promise.all((await buttons.all()).map((each) => each.boundingBox()));
      expect(reject?.height).toBe(52);
      expect((yes?.x ?? 0) - ((reject?.x ?? 0) + (reject?.width ?? 0))).toBe(10);
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
      for (const key of ['Enter', 'y', ' ']) await page.keyboard.press(key);
      questions.splice(questions.indexOf(question), 1);
      if (question.startsWith('How large')) {
        await page.getByLabel(/count/).fill('none');
        await dock.getByRole('button', { name: 'Answer' }).click();
        await dock.getByRole('alert').getByText('GATE_ANSWER_INVALID').waitFor();
        await page.getByLabel(/count/).fill('3');
        await dock.getByRole('button', { name: 'Answer' }).click();
      } else await dock.getByRole('button', { name: 'Approve' }).click();
      await reading(page, question).waitFor({ state: questions.length === 0 ? 'visible' : 'detached' });
    }
    await page.getByText('approve by').waitFor();
  });
});
