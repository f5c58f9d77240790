// Matching one part of a goal with tools: when words are proof, what they forbid, and what stays open.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/contract/declaration.ts';
import { matchGoal } from '../../../src/goals/match/match.ts';
import { catalogue } from './catalogue.ts';

function tool(line: string, more: Partial<Declaration> = {}): Declaration {
  const [name = '', description = ''] = line.split(': ');
  return { name, description, effects: [], tags: [], cost: {}, ...more };
}

const desk = [
  tool('list_tickets: List all tickets, optionally of one assignee'),
  tool('get_ticket: Get one ticket by its number'),
  tool('create_ticket: Create a ticket'),
  tool('assign_ticket: Assign a ticket to a person'),
  tool('delete_ticket: Delete a ticket', {
    input: { type: 'object', required: ['ticket_id'], properties: { ticket_id: { type: 'integer' } } },
  }),
  tool('take_screenshot: Take a screenshot of the page'),
];

function verdictOn(goal: string, tools: readonly Declaration[] = desk): string {
  const { verdict, certain } = matchGoal(goal, tools);
  return certain === undefined ? verdict : certain.name;
}

describe('words prove a tool', () => {
  it('when verb and nouns equal those of the name', () => {
    expect(verdictOn('list the tickets')).toBe('list_tickets');
    expect(verdictOn('please show tickets')).toBe('list_tickets');
    expect(verdictOn('create a ticket called "No heating"')).toBe('create_ticket');
    expect(verdictOn('take a screenshot')).toBe('take_screenshot');
  });

  it('when the text contains the exact name', () => {
    expect(verdictOn('run delete_ticket on it')).toBe('delete_ticket');
    expect(verdictOn('assign_ticket')).toBe('assign_ticket');
    expect(verdictOn('never run delete_ticket')).not.toBe('delete_ticket');
  });

  it('for a name with its object in the family', () => {
    const files = [tool('files.list: Lists the files of a folder'), tool('files.read: Reads a file')];
    expect(verdictOn('list the files in data/', files)).toBe('files.list');
    expect(verdictOn('list the files', [tool('shop.list_files: Lists files')])).toBe('shop.list_files');
  });

  it('for initials in the plural', () => {
    const pulls = [
      tool('list_pull_requests: List pull requests'),
      tool('list_repositories: List repositories'),
      tool('list_databases: List databases'),
    ];
    expect(matchGoal('which PRs are open?', pulls).candidates).toMatchObject([{ shares: ['prs'] }]);
    expect(verdictOn('list the DBs', pulls)).toBe('list_databases');
  });

  it('that puts the proven tool first among the candidates', () => {
    const tools = [tool('list_tickets: List them'), tool('ticket_tickets: Ticket tickets for tickets')];
    expect(matchGoal('show the tickets', tools)).toMatchObject({
      certain: { name: 'list_tickets' },
      candidates: [{ name: 'list_tickets' }, { name: 'ticket_tickets', score: 1 }],
    });
  });

  it("that respects the number of the name's noun", () => {
    expect(verdictOn('get ticket 5')).toBe('get_ticket');
    expect(verdictOn('get the tickets')).toBe('list_tickets');
  });
});

describe('words leave open', () => {
  it('another verb, another language and nonsense', () => {
    expect(verdictOn('give ticket 5 to Ann')).toBe('open');
    expect(verdictOn('öffne ein Ticket')).toBe('open');
    expect(verdictOn('do something weird')).toBe('none');
    expect(verdictOn('plan a trip to Paris')).toBe('none');
  });

  it('a part of the name, and more than the name', () => {
    const branches = [
      tool('delete_branch: Delete a branch'),
      tool('update_branch_protection: Update a branch protection'),
    ];
    expect(verdictOn('delete the branch protection', branches)).toBe('open');
  });

  it('negations, conditions and second orders', () => {
    expect(verdictOn('list the tickets unless it is Monday')).toBe('open');
    expect(verdictOn('list the tickets and assign the first')).toBe('open');
    expect(verdictOn('list tickets without a person')).toBe('open');
  });

  it('one name on two servers', () => {
    expect(
      verdictOn('list tickets', [tool('a.list_tickets: List tickets'), tool('b.list_tickets: List tickets')]),
    ).toBe('open');
  });
});

describe('words forbid', () => {
  function vetoOn(goal: string, name: string): string | undefined {
    return matchGoal(goal, desk).candidates.find((each) => each.name === name)?.veto;
  }

  it('verbs that the goal rules out', () => {
    expect(vetoOn("don't take a screenshot", 'take_screenshot')).toBe('the goal rules out "take"');
    expect(verdictOn("don't take a screenshot")).not.toBe('take_screenshot');
  });

  it('destruction that the goal does not ask for, and reading in its place', () => {
    expect(vetoOn('show ticket 5', 'delete_ticket')).toBe('it destroys, and the goal does not ask for that');
    expect(vetoOn('delete ticket 5', 'get_ticket')).toBe('it only reads, and the goal asks to destroy');
    expect(vetoOn('get rid of ticket 5', 'delete_ticket')).toBeUndefined();
    expect(vetoOn('list the tickets but do not delete them', 'delete_ticket')).toBeDefined();
  });

  it('certainty about a destructive tool by a synonym of its verb', () => {
    expect(verdictOn('erase the ticket')).toBe('open');
    expect(verdictOn('delete ticket 5')).toBe('delete_ticket');
  });
});

describe('candidates', () => {
  it('do not depend on the order of the declarations', () => {
    const { declarations, goals } = catalogue('github');
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(goals)),
        fc.shuffledSubarray([...declarations], { minLength: declarations.length }),
        (goal, shuffled) => {
          expect(matchGoal(goal, shuffled)).toEqual(matchGoal(goal, declarations));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('have scores from 0 to 1 for any text, and are empty without tools', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const { candidates } = matchGoal(text, desk);
        expect(candidates.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
    expect(matchGoal('list the tickets', [])).toEqual({ verdict: 'none', candidates: [] });
  });
});

describe('embeddings', () => {
  it('order open candidates, and make none certain', () => {
    const alike = { assign_ticket: 0.8, create_ticket: 0.3, delete_ticket: 0.2 };
    const { verdict, candidates } = matchGoal('give ticket 5 to Ann', desk, { alike });
    expect(verdict).toBe('open');
    expect(candidates[0]).toMatchObject({ name: 'assign_ticket', alike: 0.8 });
    expect(candidates.at(-1)).toMatchObject({ name: 'delete_ticket', veto: expect.any(String) });
  });
});
