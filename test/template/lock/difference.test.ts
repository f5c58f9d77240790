// Differences between locked tools and what a server says now: each field of a tool, by name, before and after.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import {
  differenceOfModel,
  differencesOf,
  differencesShown,
  differencesText,
  lockCommand,
} from '../../../src/template/lock/difference.ts';
import { fingerprintsOf } from '../../../src/template/lock/tool-fingerprint.ts';

const path = { type: 'string', description: 'Where.' };
const tool: JsonObject = {
  name: 'read',
  title: 'Read a file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path }, required: ['path'] },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
    title: 'Read',
  },
};
const locked = fingerprintsOf([tool]);
const shownOf = (now: Json) => differencesShown(differencesOf('disk', locked, [now]))['disk.read'];

describe('an unchanged tool', () => {
  it('has no differences, whatever the order of its keys and of the listed tools', () => {
    const turned = Object.fromEntries(Object.entries(tool).reverse());
    const other = { name: 'other', inputSchema: {} };
    expect(differencesOf('disk', fingerprintsOf([tool, other]), [other, turned])).toEqual([]);
  });

  it('has no differences when its server changes a field that nobody reads', () => {
    expect(shownOf({ ...tool, _meta: { build: 7 }, icons: [{ src: 'x' }] })).toBeUndefined();
  });
});

describe('a changed tool', () => {
  const was = '(only its digest is kept)';
  it.each<[string, JsonObject, Json]>([
    ['title', { title: 'Read' }, { title: { was: 'Read a file', now: 'Read' } }],
    ['description', { description: 'Reads.' }, { description: { was: 'Reads a file.', now: 'Reads.' } }],
    [
      'an argument',
      { inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
      { 'input.path': { was, now: { type: 'string' } } },
    ],
    [
      'a new argument',
      { inputSchema: { type: 'object', properties: { path, head: { type: 'integer' } }, required: ['path'] } },
      { 'input.head': { was: '(nothing)', now: { type: 'integer' } } },
    ],
    [
      'an argument that is gone',
      { inputSchema: { type: 'object', properties: {}, required: ['path'] } },
      { 'input.path': { was, now: '(nothing)' } },
    ],
    [
      'the rest of its input',
      { inputSchema: { type: 'object', properties: { path } } },
      { input: { was, now: { type: 'object', properties: { path } } } },
    ],
    [
      'a key of its result',
      { outputSchema: { type: 'object', properties: { text: { type: 'integer' } } } },
      { 'output.text': { was, now: { type: 'integer' } } },
    ],
    ...['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map(
      (hint): [string, JsonObject, Json] => {
        const { [hint]: before, ...others } = tool.annotations as Record<string, boolean>;
        return [
          hint,
          { annotations: { ...others, [hint]: !before } },
          { [`annotations.${hint}`]: { was: before === true, now: before !== true } },
        ];
      },
    ),
    [
      'the title among its annotations',
      { annotations: { ...(tool.annotations as JsonObject), title: 'Write' } },
      { 'annotations.title': { was: 'Read', now: 'Write' } },
    ],
  ])('is told by %s', (_, now, difference) => {
    expect(shownOf({ ...tool, ...now })).toEqual(difference);
  });

  it.each<[string, string]>([
    ['title', 'title'],
    ['description', 'description'],
    ['annotations', 'annotations'],
    ['inputSchema', 'input'],
    ['outputSchema', 'output'],
  ])('is told by %s when its server does not give that any more', (key, field) => {
    const { [key]: _, ...now } = tool;
    const [difference] = differencesOf('disk', locked, [now]);
    expect(difference?.fields.length).toBeGreaterThan(0);
    for (const { field: told, how } of difference?.fields ?? []) {
      expect(told.split('.')[0]).toBe(field);
      expect(how).toBe('removed');
    }
  });

  it('has another key after each change, so that accepting one change accepts no other', () => {
    const keys = ['Reads.', 'Reads!'].map(
      (description) => differencesOf('disk', locked, [{ ...tool, description }])[0]?.key,
    );
    expect(new Set(keys).size).toBe(2);
    expect(differencesOf('web', locked, [{ ...tool, description: 'Reads.' }])[0]?.key).not.toBe(keys[0]);
  });
});

describe('the tools of a server', () => {
  it('differ when a tool is new or gone', () => {
    const now = { name: 'write', description: 'Writes.', inputSchema: { type: 'object' } };
    const differences = differencesOf('disk', locked, [now]);
    expect(differences.map(({ name, how }) => `${name} ${how}`)).toEqual(['disk.read removed', 'disk.write added']);
    expect(differencesShown(differences)).toEqual({
      'disk.read': 'not listed any more',
      'disk.write': { description: 'Writes.', input: { type: 'object' } },
    });
    expect(differencesText(differences)).toBe(
      '2 tools differ from reconverge.lock: disk.read (not listed any more), disk.write (new)',
    );
  });

  it('are all new when the lock file does not know the server', () => {
    expect(differencesOf('disk', undefined, [tool]).map(({ how }) => how)).toEqual(['added']);
  });

  it('are read by name even if they have names of Object.prototype', () => {
    const strange = { name: 'constructor', inputSchema: {} };
    expect(differencesOf('disk', {}, [strange]).map(({ how }) => how)).toEqual(['added']);
    expect(differencesOf('disk', fingerprintsOf([strange]), [strange])).toEqual([]);
  });
});

describe('a change of invisible characters', () => {
  it('is escaped in texts, schemas and names', () => {
    const now = {
      ...tool,
      description: 'Reads a file.\u200b\u{e0041}',
      inputSchema: {
        type: 'object',
        properties: { path: { ...path, description: 'Where.\ufe0f' }, 'a\u2060': {} },
        required: ['path'],
      },
    };
    expect(shownOf(now)).toEqual({
      description: { was: 'Reads a file.', now: 'Reads a file.\\u{200b}\\u{e0041}' },
      'input.path': { was: '(only its digest is kept)', now: { type: 'string', description: 'Where.\\u{fe0f}' } },
      'input.a\\u{2060}': { was: '(nothing)', now: {} },
    });
    const [strange] = differencesOf('disk', {}, [{ name: 'read\u200b', inputSchema: {} }]);
    expect(strange && differencesText([strange])).toContain('disk.read\\u{200b} (new)');
  });

  it('leaves words of all languages unchanged', () => {
    const description = 'Öffnet die Datei – 開く, ⚠\ufe0f\n\tund schließt sie.';
    expect(shownOf({ ...tool, description })).toEqual({ description: { was: 'Reads a file.', now: description } });
  });
});

describe('the command to accept differences', () => {
  it('names the template if it is a file', () => {
    expect(lockCommand('--update', 'templates/notify.yaml')).toBe('reconverge lock --update templates/notify.yaml');
    expect(lockCommand('--check', 'mission')).toBe('reconverge lock --check');
  });
});

describe('a model', () => {
  it('differs when another model answers for its name', () => {
    expect(differenceOfModel('gpt', 'gpt-1', 'gpt-1')).toBeUndefined();
    const difference = differenceOfModel('gpt', 'gpt-1', 'gpt-2');
    expect(difference && differencesShown([difference])).toEqual({ gpt: { resolved: { was: 'gpt-1', now: 'gpt-2' } } });
  });
});
