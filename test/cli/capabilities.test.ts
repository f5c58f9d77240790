// The command capabilities: searches a file of tools, a template and the catalog; lists and describes capabilities.
import { describe, expect, it, onTestFinished } from 'vitest';
import { openModelServer } from '../../src/testing/model-server.ts';
import { call, project } from './reconverge.ts';

const tools = [
  {
    name: 'list_issues',
    description: 'List issues in a repository',
    inputSchema: {
      type: 'object',
      required: ['repo'],
      properties: { repo: { type: 'string' }, state: { enum: ['open', 'closed'] } },
    },
  },
  { name: 'create_issue', description: 'Create an issue', inputSchema: { type: 'object' } },
  {
    name: 'delete_branch',
    description: 'Delete a branch',
    inputSchema: { type: 'object' },
    annotations: { destructiveHint: true },
  },
];

const folder = () => project({ 'list.json': JSON.stringify(tools), 'answer.json': JSON.stringify({ tools }) });
const capabilities = (cwd: string, ...words: string[]) => call(['capabilities', ...words], { cwd });

describe('capabilities search', () => {
  it('searches a module of capabilities beside the catalog', async () => {
    const cwd = project({
      'shout.ts': `import { defineCapability } from 'reconverge';
export const shout = defineCapability({ name: 'text.shout', description: 'Shouts a text.', input: '{text :string}', effects: [], run: () => 1 });
`,
    });
    const { code, stdout } = await call(['capabilities', 'search', 'Shout a text', '--capabilities', 'shout.ts'], {
      cwd,
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^certain: text.shout/)]);
    const both = await call(['capabilities', 'list', '--capabilities', 'shout.ts', '--template', 'a.yaml'], { cwd });
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out --from and --template') });
  });

  it('says which tool is certain, and which words prove it', async () => {
    const { code, stdout } = await capabilities(folder(), 'search', 'show me the issues', '--from', 'list.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^certain: list_issues, by its words\n/);
    expect(stdout).toMatch(/why\n *\d\.\d\d +list_issues +shares "issues"/);
    const named = await capabilities(folder(), 'search', 'call list_issues', '--from', 'list.json');
    expect(named.stdout).toMatch(/^certain: list_issues, by its name\n/);
  });

  it('leaves a match open when words do not prove it, and names the excluded tools', async () => {
    const { code, stdout } = await capabilities(folder(), 'search', 'delete the issue', '--from', 'list.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^open: the words alone do not decide between these; choose one yourself\n/);
    expect(stdout).toMatch(/list_issues +shares "issue"; but it only reads, and the goal asks to destroy/);
  });

  it('exits with 1 when no word matches a permitted tool', async () => {
    const flight = await capabilities(folder(), 'search', 'book a flight', '--from', 'list.json');
    expect([flight.code, flight.stdout]).toEqual([1, 'none: no word matches a capability\n']);
    const branch = await capabilities(folder(), 'search', 'show the branch', '--from', 'list.json');
    expect(branch.code).toBe(1);
    expect(branch.stdout).toMatch(/^none: what shares words may not serve\n/);
    expect(branch.stdout).toContain('but it destroys, and the goal does not ask for that');
  });

  it('matches each task of a goal separately', async () => {
    const goal = 'list the issues, then book a flight';
    const { code, stdout } = await capabilities(folder(), 'search', goal, '--from', 'list.json');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^list the issues\ncertain: list_issues[\s\S]*\n\nbook a flight\nnone/);
    const answered = await capabilities(folder(), 'search', goal, '--from', 'list.json', '--json');
    const answer = JSON.parse(answered.stdout);
    expect(answer).toMatchObject({
      goal,
      parts: [
        { part: 'list the issues', verdict: 'certain', certain: 'list_issues', by: 'words' },
        { part: 'book a flight', verdict: 'none', certain: null, by: null, candidates: [] },
      ],
    });
  });

  it('answers --json with the documented shape', async () => {
    const cwd = folder();
    const goal = 'delete the branch';
    const { code, stdout } = await capabilities(cwd, 'search', goal, '--from', 'answer.json', '--json', '--limit', '1');
    const answer = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(answer).toEqual({
      goal,
      verdict: 'certain',
      certain: 'delete_branch',
      by: 'words',
      candidates: [{ name: 'delete_branch', score: 1, shares: ['delete', 'branch'] }],
    });
  });

  it('answers each goal in a file with one line, in order', async () => {
    const cwd = project({
      'list.json': JSON.stringify(tools),
      'goals.txt': 'list the issues\n\nbook a flight\r\ncreate an issue\n',
    });
    const search = ['search', '--goals', 'goals.txt', '--from', 'list.json'];
    const { code, stdout } = await capabilities(cwd, ...search, '--json');
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(answers.map(({ goal, certain }) => [goal, certain])).toEqual([
      ['list the issues', 'list_issues'],
      ['book a flight', null],
      ['create an issue', 'create_issue'],
    ]);
    expect((await capabilities(cwd, ...search)).stdout).toBe(
      'certain: list_issues  list the issues\nnone  book a flight\ncertain: create_issue  create an issue\n',
    );
    expect(await capabilities(cwd, 'search', 'list', '--goals', 'goals.txt')).toMatchObject({ code: 2 });
    const both = await capabilities(cwd, 'search', '--goals', '-', '--from', '-');
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only one of --from and --goals can read standard input'),
    });
  });

  it('searches the catalog by default', async () => {
    const { stdout } = await capabilities(folder(), 'search', 'read a csv file');
    expect(stdout).toMatch(/^certain: csv\.read/);
  });

  it('leaves the choice between two similar names open, and shows as many candidates as requested', async () => {
    const twins = [
      { name: 'get_file', description: 'Read the contents of a file', inputSchema: {} },
      { name: 'fetch_file', description: 'Read the contents of a file', inputSchema: {} },
    ];
    const cwd = project({ 'twins.json': JSON.stringify(twins) });
    const search = ['search', 'read the file', '--from', 'twins.json', '--json'];
    const all = JSON.parse((await capabilities(cwd, ...search)).stdout);
    expect(all).toMatchObject({ verdict: 'open', certain: null, candidates: [{}, {}] });
    expect(JSON.parse((await capabilities(cwd, ...search, '--limit', '1')).stdout).candidates).toHaveLength(1);
  });

  it('asks an embeddings model only when words do not decide', async () => {
    const server = await openModelServer();
    onTestFinished(() => server.close());
    const env = { OPENAI_BASE_URL: server.url };
    const twins = [
      { name: 'drive.list_files', description: 'List files of the drive that the office shares', inputSchema: {} },
      { name: 'shop.list_files', description: 'List the files', inputSchema: {} },
    ];
    const cwd = project({ 'twins.json': JSON.stringify(twins) });
    const search = (goal: string, ...more: string[]) =>
      call(['capabilities', 'search', goal, '--from', 'twins.json', ...more], { cwd, env });
    expect((await search('List the files')).stdout).toMatch(/^open/);
    const { stdout } = await search('List the files', '--embeddings', 'embedder');
    expect(stdout).toMatch(/^open[\s\S]*1\.00 +shop\.list_files .*alike by embeddings/);
    expect(server.requests).toHaveLength(1);
    expect((await search('call drive.list_files', '--embeddings', 'embedder')).stdout).toMatch(
      /^certain: drive\.list_files/,
    );
    expect(server.requests).toHaveLength(1);
  });

  it('refuses a file that is not a list of tools', async () => {
    const cwd = project({ 'no.json': '{"a": 1}', 'bad.json': '{' });
    expect(await capabilities(cwd, 'search', 'x', '--from', 'no.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds no list of tools'),
    });
    expect(await capabilities(cwd, 'search', 'x', '--from', 'bad.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bad.json:1:1'),
    });
    expect((await capabilities(cwd, 'search', 'x', '--from', 'none.json')).code).toBe(2);
    expect((await capabilities(cwd, 'search')).stderr).toContain('search takes a goal');
    expect((await capabilities(cwd, 'find', 'x')).stderr).toContain('there is no capabilities find');
  });
});

describe('capabilities list', () => {
  it('lists exactly what a template grants', async () => {
    const cwd = project({
      'small.yaml':
        'reconverge: 1\nname: small\ncapabilities: [files.read, csv.read]\nroots: [.]\nsteps:\n  - { name: a, handler: files.read, input: { path: a } }\n',
    });
    const { code, stdout, stderr } = await capabilities(cwd, 'list', '--template', 'small.yaml', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const answer = JSON.parse(stdout);
    expect(answer.capabilities.map(({ name }: { name: string }) => name)).toEqual(['csv.read', 'files.read']);
  });

  it('reports the issues of a template', async () => {
    const cwd = project({ 'odd.yaml': 'reconverge: 1\nname: odd\nsteps: 3\n' });
    const { code, stderr } = await capabilities(cwd, 'list', '--template', 'odd.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('steps');
  });
});

describe('capabilities describe', () => {
  it('shows contracts, effects and an example that fits the contract', async () => {
    const { stdout } = await capabilities(folder(), 'describe', 'list_issues', '--from', 'list.json');
    expect(stdout).toContain('list_issues: List issues in a repository');
    expect(stdout).toContain('effects: write');
    expect(stdout).toMatch(/state +one of open, closed \(may be left out\)/);
    expect(stdout).toContain('for example {"repo":"<repo>"}');
  });

  it('answers --json with the documented shape, and suggests the nearest name', async () => {
    const cwd = folder();
    const answer = JSON.parse((await capabilities(cwd, 'describe', 'csv.read', '--json')).stdout);
    expect(answer).toMatchObject({ capability: { name: 'csv.read', effects: ['read'] }, example: { path: '<path>' } });
    expect((await capabilities(cwd, 'describe', 'csv.raed')).stderr).toContain('did you mean "csv.read"?');
  });
});
