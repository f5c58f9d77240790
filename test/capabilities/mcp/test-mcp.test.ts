// The trial of public MCP servers, tried on two that are installed here: what it checks, and what it says of the others.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { breaches } from '../../../scripts/test-mcp/policy.ts';
import { declareTools } from '../../../src/capabilities/mcp/declare.ts';
import { root } from '../../sources.ts';

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly code?: number;
}

async function trial(modules: string, ...words: readonly string[]): Promise<Said> {
  const env = { ...process.env, RECONVERGE_MCP_SERVERS: modules };
  const running = promisify(execFile)(process.execPath, [join(root, 'scripts/test-mcp.ts'), ...words], { env });
  return running.catch((error: Said) => error);
}

describe('npm run test:mcp', () => {
  it('lists servers, declares their tools, and reviews a plan that calls each tool', async () => {
    const { stdout, code } = await trial(join(root, 'node_modules'), 'filesystem', 'everything', 'memory');
    expect(code).toBeUndefined();
    expect(stdout).toMatch(/filesystem \S+: 14 tools, 14 planned\n/);
    expect(stdout).toMatch(/everything \S+: 12 tools, 12 planned\n +left out: the tool "simulate-research-query"/);
    expect(stdout).toContain('memory: could not be tried: @modelcontextprotocol/server-memory is not installed');
    expect(stdout).toMatch(/all 2 +26 /);
  });

  it('names missing servers, and fails when too few were tried', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'reconverge-none-'));
    onTestFinished(() => rmSync(empty, { recursive: true }));
    const { stdout, stderr, code } = await trial(empty);
    expect(code).toBe(1);
    expect(stdout.match(/is not installed/g)).toHaveLength(27);
    expect(stderr).toContain('only 0 servers could be listed');
  });

  it('finds a declaration that breaks the policy', () => {
    const tool = { name: 'delete_file', inputSchema: {} };
    const [declared] = declareTools('disk', [tool]).declarations;
    if (declared === undefined) throw new Error('it is not declared');
    expect(breaches(tool, declared)).toEqual([]);
    expect(breaches(tool, { ...declared, effects: ['write'], repeat: 'safe' })).toEqual([
      'disk.delete_file: delete is false, the table says true',
      'disk.delete_file: repeat is safe, the table says never',
      'disk.delete_file: approval of each call is false, the table says true',
      "disk.delete_file: approval in a template's own step is free, the table says ask",
    ]);
  });
});
