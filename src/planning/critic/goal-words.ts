// The goal of a frame as the critic reads it: as it was written, without what it refers to.

import type { Frame } from '../frame.ts';
import { type Goal, readGoal } from '../resolve/goal.ts';
import { profilesOf } from '../resolve/profile.ts';
import { type Vocabulary, vocabularyOf } from '../resolve/vocabulary.ts';

export function goalText({ goal = '' }: Pick<Frame, 'goal'>): string {
  return goal.replace(/\{\{.*?\}\}/gs, ' ').trim();
}

const remembered = new WeakMap<Frame['declarations'], Vocabulary>();

/** Undefined: there is none, or it refers to all that it says. */
export function goalOf(frame: Frame): Goal | undefined {
  const text = goalText(frame);
  if (!/\p{L}/u.test(text)) return undefined;
  const { declarations } = frame;
  const vocabulary = remembered.get(declarations) ?? vocabularyOf(profilesOf(Object.values(declarations)));
  remembered.set(declarations, vocabulary);
  return readGoal(text, vocabulary);
}
