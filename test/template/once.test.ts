// Calls that may be made only once, as templates declare them.
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/contract/declaration.ts';
import { checkRetries } from '../../src/template/check/retries.ts';
import { readMcpServer } from '../../src/template/keys/mcp-server.ts';
import { findings, template } from './given-steps.ts';

const send: Declaration = {
  name: 'send',
  description: 'Sends.',
  effects: ['write'],
  repeat: 'never',
  tags: [],
  cost: {},
};

describe('on_unknown_outcome', () => {
  const said = (value: string) =>
    template(`  - { name: a, handler: files.list, input: { folder: x } }\non_unknown_outcome: ${value}\n`);

  it('asks a person by default', () => {
    expect(said('ask').unknownOutcome).toEqual({ mode: 'ask' });
    expect(said('fail').unknownOutcome).toEqual({ mode: 'fail' });
    expect(said('{ expires_in: 2h }').unknownOutcome).toEqual({ mode: 'ask', expiresIn: 7_200_000 });
  });

  it('refuses other values', () => {
    expect(
      findings('  - { name: a, handler: files.list, input: { folder: x } }\non_unknown_outcome: perhaps\n'),
    ).toEqual(['SHAPE_WRONG_VALUE on_unknown_outcome']);
  });
});

describe('a retry policy', () => {
  const { steps } = template(
    '  - { name: a, handler: files.list, input: { folder: x }, on_failure: retry, retry: { max_attempts: 2 } }\n  - { name: b, handler: files.list, input: { folder: x } }\n',
  );
  const codes = (repeat: 'never' | 'safe') =>
    checkRetries({ steps, declarations: { 'files.list': { ...send, name: 'files.list', repeat } } }).map(
      ({ code, path }) => `${code} ${path.join('.')}`,
    );

  it('gets a warning when the capability may be called only once', () => {
    expect(codes('never')).toEqual(['RETRY_COVERS_REFUSED steps.0.retry']);
    expect(codes('safe')).toEqual([]);
  });
});

describe('an MCP server', () => {
  it('may override properties of its tools', () => {
    const tools = {
      post: { effects: ['write'], key: 'request_id', cost: { usd: 0.01, seconds: 2 }, approval: 'never' },
    };
    const server = readMcpServer({ name: 'slack', command: 'x', hints: 'ignore', tools });
    expect(server).toMatchObject({
      hints: 'ignore',
      tools: {
        post: {
          effects: ['write'],
          repeat: 'keyed',
          key: 'request_id',
          cost: { ms: 2_000, micro_dollars: 10_000 },
          approval: 'never',
        },
      },
    });
  });
});
