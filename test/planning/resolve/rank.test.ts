// Ranking capabilities by a goal: what is vetoed, what costs, what ties, and what plays no part.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/contract/declaration.ts';
import { rankCapabilities } from '../../../src/planning/resolve/rank.ts';
import { catalogue, domains, toolsOf } from '../match/catalogue.ts';

const files = toolsOf(
  'list_files: List the files of a folder',
  'read_file: Read a file',
  'write_file: Write a file',
  'delete_file: Delete a file',
  'search_files: Search for files',
);

function best(goal: string, tools = files): string {
  const { verdict, candidates } = rankCapabilities(goal, tools);
  return verdict === 'accepted' ? (candidates[0]?.name ?? '') : verdict;
}

describe('verbs', () => {
  it('align by what they mean', () => {
    expect(best('erase the file')).toBe('delete_file');
    expect(best('get rid of the file')).toBe('delete_file');
    expect(best('throw the file away')).toBe('delete_file');
    expect(best('look for files')).toBe('search_files');
    expect(best('display the file')).toBe('read_file');
  });

  it('are understood in questions and behind courtesies', () => {
    expect(best('which files are there?')).toBe('list_files');
    expect(best('could you please delete the file')).toBe('delete_file');
    expect(best("I'd like to see all files")).toBe('list_files');
  });

  it('veto what would read, write or destroy instead', () => {
    const { candidates } = rankCapabilities('delete the file', files);
    const read = candidates.find(({ name }) => name === 'read_file');
    expect(read).toMatchObject({ score: 0, stops: ['it would read, the goal asks to destroy'] });
    expect(best('delete the file', toolsOf('read_file: Read a file', 'write_file: Write a file'))).toBe('rejected');
    expect(best('show the file', toolsOf('delete_file: Delete a file'))).toBe('rejected');
  });

  it('that are ruled out are never chosen', () => {
    expect(best('list the files but do not delete them')).toBe('list_files');
    expect(best('do not delete the file', toolsOf('delete_file: Delete a file'))).toBe('rejected');
  });

  it('leave their meaning to a noun where they have none', () => {
    const copy = toolsOf('copy_file: Copy a file', 'create_file: Create a file');
    expect(best('make a copy of the file', copy)).toBe('copy_file');
    expect(best('make a new file', copy)).toBe('create_file');
  });

  it('that do a thing in a certain way serve that alone, and what does it in any way serves all', () => {
    const tickets = toolsOf(
      'assign_ticket: Assign a ticket to somebody',
      'close_ticket: Close a ticket',
      'update_ticket: Update a ticket',
    );
    expect(best('close ticket 5', tickets)).toBe('close_ticket');
    expect(best('mark ticket 5 as done', tickets)).toBe('close_ticket');
    expect(best('reopen ticket 5', tickets)).toBe('update_ticket');
    expect(best('rename ticket 5', tickets)).toBe('update_ticket');
    expect(best('hand ticket 5 over to maria', tickets)).toBe('assign_ticket');
    expect(best('assign maria to ticket 5', tickets)).toBe('assign_ticket');
    expect(best('close ticket 5', tickets.slice(0, 1))).toBe('rejected');
  });

  it('make what some tool is named for, and nothing else', () => {
    const tools = toolsOf(
      'create_ticket: Create a ticket',
      'add_ticket_labels: Add labels to a ticket',
      'update_ticket: Update a ticket',
    );
    expect(best('label ticket 5 as urgent', tools)).toBe('add_ticket_labels');
    expect(best('tag ticket 5 with "urgent"', tools)).toBe('add_ticket_labels');
  });

  it('of what destroys are meant for the thing itself, not for what belongs to it or resembles it', () => {
    const tools = toolsOf(
      'delete_branch: Delete a branch',
      'delete_file: Delete a file',
      'delete_comment: Delete a comment',
      'delete_repository: Delete a repository',
    );
    for (const goal of [
      'delete the branch protection',
      'remove the branch rules',
      'get rid of the file history',
      'delete the discussion about fonts',
      'delete the project',
    ])
      expect(best(goal, tools), goal).toBe('rejected');
    expect(best('delete branch test', tools)).toBe('delete_branch');
  });

  it('stand behind what they make, and in nouns that name an act', () => {
    const tickets = toolsOf(
      'create_ticket: Create a ticket',
      'list_tickets: List tickets',
      'add_ticket_comment: Add a comment to a ticket',
    );
    expect(best('track the slow start as a new ticket', tickets)).toBe('create_ticket');
    expect(best('comment on ticket 7', tickets)).toBe('add_ticket_comment');
    expect(best('respond on ticket 7', tickets)).toBe('add_ticket_comment');
  });

  it('may be a choice that the contract lists', () => {
    const verdict = { type: 'string', enum: ['APPROVE', 'REQUEST_CHANGES'] };
    const [create, merge] = toolsOf('create_draft_review: Create a review of a draft', 'merge_draft: Merge a draft');
    const drafts = [create, merge].flatMap((each) => each ?? []);
    const [review, ...others] = drafts;
    const input = { type: 'object', properties: { verdict } };
    const tools = review === undefined ? [] : [{ ...review, input }, ...others];
    expect(best('approve draft 7', tools)).toBe('create_draft_review');
    expect(best('request changes on draft 7', tools)).toBe('create_draft_review');
  });

  it('that only one name has are verbs where the other names begin with theirs', () => {
    const nodes = toolsOf('list_nodes: List nodes', 'get_node: Get a node', 'drain_node: Drain a node of its work');
    expect(best('drain node 4', nodes)).toBe('drain_node');
  });
});

describe('nouns', () => {
  it('fold one and many', () => {
    const entries = toolsOf('list_entries: List', 'delete_entry: Delete', 'list_boxes: List');
    expect(best('show the entries', entries)).toBe('list_entries');
    expect(best('delete this entry', entries)).toBe('delete_entry');
    expect(best('show every box', entries)).toBe('list_boxes');
  });

  it('that nobody asked for cost', () => {
    const tools = toolsOf('get_issue_comments: Get the comments of an issue', 'get_issue: Get an issue');
    expect(best('show issue 12', tools)).toBe('get_issue');
    expect(best('show the comments of issue 12', tools)).toBe('get_issue_comments');
  });

  it('must be what the goal is about', () => {
    expect(best('delete the comments of the file')).toBe('rejected');
    expect(best('book a flight')).toBe('rejected');
  });

  it('are known by their initials and short forms', () => {
    const tools = toolsOf('list_pull_requests: List pull requests', 'list_repositories: List repositories');
    expect(best('which PRs are open?', tools)).toBe('list_pull_requests');
    expect(best('show my repos', tools)).toBe('list_repositories');
  });

  it('forgive a slip', () => {
    expect(best('delte the file')).toBe('delete_file');
    const tools = toolsOf('list_repositories: List repositories', 'list_branches: List branches');
    expect(best('list the repositries', tools)).toBe('list_repositories');
  });

  it('are understood by what descriptions call them', () => {
    const tools = toolsOf(
      'sendMessage: Send an email',
      'listMessages: List messages',
      'deleteMessage: Delete a message',
    );
    expect(best('send an email to Ann', tools)).toBe('sendMessage');
  });
});

describe('names', () => {
  it('may be written in any way', () => {
    for (const write of [
      (verb: string, noun: string) => `${verb}_${noun}`,
      (verb: string, noun: string) => `${verb}-${noun}`,
      (verb: string, noun: string) => `${verb}${noun[0]?.toUpperCase()}${noun.slice(1)}`,
      (verb: string, noun: string) => `server.${verb}_${noun}`,
      (verb: string, noun: string) => `${noun}.${verb}`,
      (verb: string, noun: string) => `acme_${verb}_${noun}`,
    ]) {
      const tools = toolsOf(
        `${write('list', 'users')}: `,
        `${write('create', 'user')}: `,
        `${write('delete', 'user')}: `,
      );
      expect(best('remove the user', tools)).toBe(write('delete', 'user'));
      expect(best('show all users', tools)).toBe(write('list', 'users'));
    }
  });

  it('that are said outright win', () => {
    expect(best('read_file')).toBe('read_file');
    expect(best('call read_file on notes.txt')).toBe('read_file');
  });
});

describe('candidates', () => {
  it('that serve about as well are ambiguous, however they are ordered', () => {
    const twins = toolsOf('alpha.get_user: Get a user', 'beta.get_user: Get a user');
    const { verdict, margin, candidates } = rankCapabilities('get the user', twins);
    expect([verdict, margin, candidates.map(({ name }) => name)]).toEqual([
      'ambiguous',
      0,
      ['alpha.get_user', 'beta.get_user'],
    ]);
    expect(rankCapabilities('get the user', twins.toReversed())).toEqual(rankCapabilities('get the user', twins));
  });

  it('are ranked the same in whatever order they are declared', () => {
    const { declarations, goals } = catalogue('github');
    const goal = fc.constantFrom(...Object.keys(goals));
    fc.assert(
      fc.property(
        goal,
        fc.shuffledSubarray([...declarations], { minLength: declarations.length }),
        (text, shuffled) => {
          expect(rankCapabilities(text, shuffled)).toEqual(rankCapabilities(text, declarations));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are scored from 0 to 1 for whatever is said', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const { candidates } = rankCapabilities(text, files);
        expect(candidates.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('none: rejects', () => {
    const nothing = { verdict: 'rejected', candidates: [], margin: 0, ambiguous: [] };
    expect(rankCapabilities('read the file', [])).toEqual(nothing);
  });
});

describe('what says that it is outdated', () => {
  const read = 'read_file: Read the complete contents of a file as text. DEPRECATED. Use read_text_file instead.';
  const files = toolsOf(
    read,
    'read_text_file: Read the complete contents of a file as text',
    'write_file: Write a file',
  );
  const chosen = (goal: string, tools = files) => {
    const { verdict, candidates } = rankCapabilities(goal, tools);
    return verdict === 'accepted' ? candidates[0]?.name : verdict;
  };

  it('gives its place to what serves as well, in whatever order they are declared', () => {
    for (const goal of ['read the file notes.txt', 'show me notes.txt', 'read the text file notes.txt']) {
      expect(chosen(goal), goal).toBe('read_text_file');
      expect(rankCapabilities(goal, files.toReversed())).toEqual(rankCapabilities(goal, files));
    }
    const old = rankCapabilities('read the file notes.txt', files).candidates.find(({ name }) => name === 'read_file');
    expect(old?.stops).toEqual(['it is outdated']);
  });

  it('is chosen where it is named, and where nothing serves in its place', () => {
    expect(chosen('use read_file on notes.txt')).toBe('read_file');
    expect(chosen('read the file notes.txt', toolsOf(read, 'write_file: Write a file'))).toBe('read_file');
  });

  it('is ambiguous no more beside its like', () => {
    const tools = toolsOf('create_issue: Create an issue', 'create_issue_legacy: [legacy] Create an issue');
    expect(chosen('create an issue titled "x"', tools)).toBe('create_issue');
  });

  it.each([
    ['list_packages: List deprecated packages', 'list_all_packages: List packages'],
    ['get_user: Get a user', 'fetch_user: Get a user'],
  ])('says so of itself, and not of others: %s', (...lines) => {
    const scores = (tools: readonly Declaration[]) =>
      rankCapabilities('list the packages', tools).candidates.flatMap(({ stops }) => stops);
    expect(scores(toolsOf(...lines))).not.toContain('it is outdated');
  });
});

describe('near names', () => {
  it('are both named where nothing settles which is meant', () => {
    const tools = toolsOf('read_file: Read the contents of a file', 'load_file: Read the contents of a file');
    expect(rankCapabilities('show me notes.txt', tools)).toMatchObject({
      verdict: 'ambiguous',
      candidates: [{ name: 'load_file' }, { name: 'read_file' }],
    });
  });
});

describe('embeddings', () => {
  const twins = toolsOf('alpha.get_user: Get a user of the shop', 'beta.get_user: Get a user of the forum');
  const goal = 'get the user who posts';

  it('tell apart what words cannot', () => {
    expect(rankCapabilities(goal, twins, { alike: { 'alpha.get_user': 0.2, 'beta.get_user': 0.6 } })).toMatchObject({
      verdict: 'accepted',
      candidates: [
        { name: 'beta.get_user', alike: 0.6 },
        { name: 'alpha.get_user', alike: 0.2 },
      ],
    });
  });

  it('settle nothing by a difference that is hardly one, however alike both are', () => {
    const alike = { 'alpha.get_user': 0.7, 'beta.get_user': 0.72 };
    expect(rankCapabilities(goal, twins, { alike }).verdict).toBe('ambiguous');
  });

  it('find what the words come near, and turn away nothing that they accept', () => {
    const { declarations } = catalogue('files');
    const near = Object.fromEntries(declarations.map(({ name }) => [name, name === 'get_disk_usage' ? 0.5 : 0.2]));
    expect(rankCapabilities('is the disk full?', declarations).verdict).toBe('rejected');
    expect(rankCapabilities('is the disk full?', declarations, { alike: near })).toMatchObject({
      verdict: 'accepted',
      candidates: expect.arrayContaining([expect.objectContaining({ name: 'get_disk_usage', alike: 0.5 })]),
    });
    const plain = rankCapabilities('read the file notes.txt', declarations);
    expect(plain.verdict).toBe('accepted');
    expect(rankCapabilities('read the file notes.txt', declarations, { alike: near })).toEqual(plain);
  });

  it('guess at nothing that only they speak for', () => {
    const tools = toolsOf('list_vessels: List vessels', 'list_users: List users', 'get_theme: Get the theme');
    const alike = { list_vessels: 0.9, list_users: 0.2, get_theme: 0.15 };
    expect(rankCapabilities('list the boats', tools, { alike })).toMatchObject({
      verdict: 'rejected',
      candidates: [{ name: 'list_vessels' }, {}, {}],
    });
  });

  it('count by what is beyond the usual: what is as alike as all others is no nearer', () => {
    const tools = toolsOf('list_vessels: List vessels', 'list_users: List users', 'get_theme: Get the theme');
    const alike = { list_vessels: 0.86, list_users: 0.85, get_theme: 0.84 };
    expect(rankCapabilities('list the boats', tools, { alike }).verdict).toBe('rejected');
  });

  it('lift no veto, and nothing that destroys', () => {
    const tools = toolsOf('delete_user: Delete a user', 'list_themes: List themes');
    const alike = { delete_user: 1, list_themes: 0 };
    expect(rankCapabilities('show the user', tools, { alike })).toMatchObject({ verdict: 'rejected' });
    const score = (options: object) =>
      rankCapabilities('delete the account', tools, options).candidates.find(({ name }) => name === 'delete_user')
        ?.score;
    expect(score({ alike })).toBe(score({}));
  });

  it('choose on no catalogue what destroys for a goal that does not, however they are', () => {
    for (const domain of domains) {
      const { declarations, goals } = catalogue(domain);
      const alike = Object.fromEntries(
        declarations.map(({ name }) => [name, /delete|remove|drop|purge|clear/.test(name) ? 1 : 0]),
      );
      for (const goal of Object.keys(goals)) {
        const [words, both] = [{}, { alike }].map((options) => rankCapabilities(goal, declarations, options));
        const chosen = (ranking = words) => (ranking?.verdict === 'accepted' ? ranking.candidates[0]?.name : undefined);
        if (chosen(both) !== chosen(words)) expect(chosen(both) ?? '').not.toMatch(/delete|remove|drop|purge|clear/);
      }
    }
  });
});
