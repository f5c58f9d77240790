// Issues as SARIF and as workflow commands of GitHub Actions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import { githubLines } from '../../src/cli/findings/github.ts';
import { sarifLog } from '../../src/cli/findings/sarif.ts';
import { contractOf } from '../../src/contract/contract.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { call } from './reconverge.ts';

const text = 'reconverge: 1\nname: a\noutput: {{ results.a }}\nsteps: []\n';
const files = [{ file: 'plans/my plan.yaml', issues: parseYaml(text, 'plans/my plan.yaml').issues }];
const help = () => ({ meaning: 'An expression has no quotes.', fix: 'Put it in quotes.' });

const counting = { type: 'integer', minimum: 1 };
const message = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const uri = { type: 'string', pattern: '^[A-Za-z0-9._~%/-]+$' };
const location = { type: 'object', required: ['uri'], properties: { uri }, additionalProperties: false };
const region = {
  type: 'object',
  required: ['startLine'],
  properties: { startLine: counting, startColumn: counting, endLine: counting, endColumn: counting },
  additionalProperties: false,
};
const replacement = {
  type: 'object',
  required: ['deletedRegion'],
  properties: { deletedRegion: region, insertedContent: message },
  additionalProperties: false,
};
const change = {
  type: 'object',
  required: ['artifactLocation', 'replacements'],
  properties: { artifactLocation: location, replacements: { type: 'array', minItems: 1, items: replacement } },
  additionalProperties: false,
};
const result = {
  type: 'object',
  required: ['message'],
  properties: {
    ruleId: { type: 'string' },
    ruleIndex: { type: 'integer', minimum: 0 },
    level: { enum: ['none', 'note', 'warning', 'error'] },
    message,
    locations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          physicalLocation: { type: 'object', properties: { artifactLocation: location, region } },
        },
        additionalProperties: false,
      },
    },
    fixes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['artifactChanges'],
        properties: { description: message, artifactChanges: { type: 'array', minItems: 1, items: change } },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};
const rule = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    shortDescription: message,
    help: message,
    helpUri: { type: 'string', format: 'uri' },
  },
  additionalProperties: false,
};
/** The parts of the schema of SARIF 2.1.0 that a log of ours uses. */
const sarif = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string' },
    version: { enum: ['2.1.0'] },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, rules: { type: 'array', items: rule, uniqueItems: true } },
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: { type: 'array', items: result },
        },
      },
    },
  },
  additionalProperties: false,
};

it('a SARIF log has the rule, the place and the edit of each issue', () => {
  const log = sarifLog(files, '1.2.3', help);
  const checked = contractOf(sarif).check(log);
  expect(checked.ok ? [] : checked.error).toEqual([]);
  expect(log).toMatchObject({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'reconverge', version: '1.2.3', rules: [{ id: 'YAML_EXPRESSION_UNQUOTED' }] } },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'YAML_EXPRESSION_UNQUOTED',
            ruleIndex: 0,
            level: 'error',
            message: { text: expect.stringMatching(/needs quotes here, .* Hint: write "\{\{ results\.a \}\}"\.$/) },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'plans/my%20plan.yaml' },
                  region: { startLine: 3, startColumn: 9, endLine: 3, endColumn: 24 },
                },
              },
            ],
            fixes: [
              {
                description: { text: 'Write "{{ results.a }}"' },
                artifactChanges: [
                  {
                    replacements: [
                      { deletedRegion: { startColumn: 9 }, insertedContent: { text: '"{{ results.a }}"' } },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
});

it('an issue without a place stands at the first line of its file', () => {
  const found = issue('TEMPLATE_UNREADABLE', 'cannot read "a.yaml"');
  expect(sarifLog([{ file: 'a.yaml', issues: [found] }], '1', help)).toMatchObject({
    runs: [{ results: [{ locations: [{ physicalLocation: { region: { startLine: 1 } } }] }] }],
  });
  expect(githubLines([{ file: 'a.yaml', issues: [found] }])).toEqual([
    '::error file=a.yaml,line=1,title=TEMPLATE_UNREADABLE::cannot read "a.yaml"',
  ]);
});

it('a workflow command escapes what would end it', () => {
  const place = { file: 'a,b:c.yaml', line: 2, column: 3, endLine: 2, endColumn: 5 };
  const found = issue('STEPS_EMPTY', '100% empty\nindeed', { place, severity: 'warning', hint: 'add a step' });
  expect(githubLines([{ file: 'a.yaml', issues: [found] }])).toEqual([
    '::warning file=a%2Cb%3Ac.yaml,line=2,col=3,endLine=2,endColumn=5,title=STEPS_EMPTY::100%25 empty%0Aindeed%0Ahint: add a step',
  ]);
});

it('validate prints each format, and its exit code says whether an error was found', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'reconverge-findings-'));
  try {
    writeFileSync(join(cwd, 'bad.yaml'), text);
    writeFileSync(join(cwd, 'good.yaml'), 'reconverge: 1\nname: a\nsteps: []\n');
    const github = await call(['validate', 'bad.yaml', 'good.yaml', '--format', 'github'], { cwd });
    expect([github.code, github.stdout.split('\n').map((line) => line.split('::')[1])]).toEqual([
      1,
      [
        'error file=bad.yaml,line=3,col=9,endLine=3,endColumn=24,title=YAML_EXPRESSION_UNQUOTED',
        'warning file=good.yaml,line=3,col=8,endLine=3,endColumn=10,title=STEPS_EMPTY',
        undefined,
      ],
    ]);
    const log = await call(['validate', 'good.yaml', '--format', 'sarif'], { cwd });
    const read = JSON.parse(log.stdout);
    expect([log.code, read.runs[0].results.length, read.runs[0].tool.driver.rules[0].id]).toEqual([
      0,
      1,
      'STEPS_EMPTY',
    ]);
    expect(read.runs[0].tool.driver.rules[0].help.text).toContain('Fix:');
    const both = await call(['validate', 'good.yaml', '--format', 'sarif', '--json'], { cwd });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('leave one out')]);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
