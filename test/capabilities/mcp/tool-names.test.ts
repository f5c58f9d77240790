// Names of tools as capabilities are named.
import { expect, it } from 'vitest';
import { toolNames } from '../../../src/capabilities/mcp/declare.ts';

const namesOf = (...tools: string[]) => [...toolNames('hub', tools)].map(([tool, name]) => `${tool} → ${name}`);

it('tool names become lower-case words', () => {
  expect(namesOf('list_issues', 'getUser', 'get-tiny-image', 'files.read', 'Über Größe!', '2fa', '日本', '')).toEqual([
    ' → hub.tool',
    '2fa → hub.tool_2fa',
    'files.read → hub.files.read',
    'get-tiny-image → hub.get_tiny_image',
    'getUser → hub.get_user',
    'list_issues → hub.list_issues',
    'Über Größe! → hub.uber_gro_e',
    '日本 → hub.tool_2',
  ]);
});

it('equal tool names are numbered, whatever their order', () => {
  const expected = ['get-it → hub.get_it', 'getIt → hub.get_it_2', 'get_it → hub.get_it_3'];
  expect(namesOf('get_it', 'getIt', 'get-it')).toEqual(expected);
  expect(namesOf('getIt', 'get-it', 'get_it', 'get_it')).toEqual(expected);
});
