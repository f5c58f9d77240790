// The missing capability of a plan, and the granted capabilities nearest to it.
import { describe, expect, test } from 'vitest';
import { missingCapabilityOf, nearText } from '../../../src/goals/plan/missing-capability.ts';
import { declaration } from '../given-frame.ts';

const granted = [
  declaration('text.count', { description: 'Counts the words of a text.' }),
  declaration('csv.sort_rows', { description: 'Orders a table.' }),
  declaration('files.delete', { description: 'Deletes a file.', effects: ['delete'] }),
  declaration('files.list', { description: 'Lists the files of a folder.' }),
  declaration('files.move', { description: 'Moves a file.', effects: ['write'] }),
];

function nearestTo(name: string, description?: string): readonly string[] {
  return missingCapabilityOf(name, description, undefined, granted).nearest.map(nearText);
}

describe('the nearest capabilities', () => {
  test('start with capabilities of similar names', () => {
    expect(nearestTo('csv.sort_row', 'Count the words')).toEqual([
      'csv.sort_rows',
      'text.count (shares "count", "words")',
    ]);
  });

  test('are at most three, each with the reason why it may not fit', () => {
    expect(nearestTo('files.shred', 'Show the files of a folder')).toEqual([
      'files.list (shares "files", "folder")',
      'files.move (shares "files")',
      'files.delete (it destroys, and the goal does not ask for that)',
    ]);
  });

  test('are found by the name of a step without further keys, and may be none', () => {
    expect(nearestTo('words.countAll')).toEqual(['text.count (shares "words", "count")']);
    expect(nearestTo('rocket.launch')).toEqual([]);
  });
});
