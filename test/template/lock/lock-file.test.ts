// The lock file as text: sorted, read back as it was written, and refused with its line when it is not sound.
import { describe, expect, it } from 'vitest';
import { placeText } from '../../../src/base/place.ts';
import { readLockSetting } from '../../../src/template/keys/lock.ts';
import { type LockFile, lockText, readLock } from '../../../src/template/lock/lock-file.ts';
import { fingerprintsOf } from '../../../src/template/lock/tool-fingerprint.ts';

const lock: LockFile = {
  servers: {
    disk: fingerprintsOf([
      { name: 'write', description: 'Writes.\n\nCarefully.', inputSchema: { type: 'object', properties: { to: {} } } },
      { name: 'read', title: 'Read', annotations: { readOnlyHint: true }, outputSchema: { type: 'object' } },
    ]),
  },
  models: { 'gpt-5-mini': 'gpt-5-mini-2025-08-07' },
};

/** The first issue: `place CODE: message`. */
function refusal(text: string): string {
  const read = readLock(text, 'reconverge.lock');
  const first = read.ok ? undefined : read.error[0];
  return first === undefined ? 'none' : `${first.place && placeText(first.place)} ${first.code}: ${first.message}`;
}

describe('the text of a lock file', () => {
  it('is read back as it was written', () => {
    const read = readLock(lockText(lock), 'reconverge.lock');
    expect(read.ok && read.value).toEqual(lock);
  });

  it('is the same for any order of listed tools', () => {
    const turned = {
      ...lock,
      servers: { disk: Object.fromEntries(Object.entries(lock.servers.disk ?? {}).reverse()) },
    };
    expect(lockText(turned)).toBe(lockText(lock));
  });

  it('escapes invisible characters, and reads them back', () => {
    const strange: LockFile = {
      servers: { disk: fingerprintsOf([{ name: 'read', description: 'Reads.\u200b\u{e0041}', inputSchema: {} }]) },
      models: {},
    };
    expect(lockText(strange)).toContain('"Reads.\\u200b\\udb40\\udc41"');
    const read = readLock(lockText(strange), 'reconverge.lock');
    expect(read.ok && read.value).toEqual(strange);
  });

  it('has one line for each line of a description, so that differences are readable', () => {
    expect(lockText(lock)).toContain(
      '"description": [\n            "Writes.",\n            "",\n            "Carefully."\n',
    );
  });
});

describe('an invalid lock file', () => {
  it.each([
    [
      '{\n  "version": 1,\n',
      'reconverge.lock:1:1 LOCK_UNREADABLE: reconverge.lock cannot be read: this "{" is never closed',
    ],
    [
      '{\n  "version": 2, "tools": {}\n}\n',
      'reconverge.lock:2:14 LOCK_VERSION_UNKNOWN: reconverge.lock has version 2, and this reconverge reads 1',
    ],
    ['{\n  "servers": {}, "models": {}\n}\n', 'reconverge.lock:1:1 LOCK_UNREADABLE: "version" must be 1'],
    [
      '{\n  "version": 1, "models": {},\n  "servers": []\n}\n',
      'reconverge.lock:3:14 LOCK_UNREADABLE: "servers" must be a map',
    ],
    [
      '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n',
      'reconverge.lock:1:1 LOCK_UNREADABLE: reconverge.lock holds a merge conflict',
    ],
  ])('is refused with its line and what is wrong: %j', (text, said) => {
    expect(refusal(text)).toBe(said);
  });

  it('is refused when a description no longer matches its digest', () => {
    expect(refusal(lockText(lock).replace('"Carefully."', '"Boldly."'))).toMatch(
      /^reconverge\.lock:\d+:\d+ LOCK_UNREADABLE: "description" does not match its digest/,
    );
  });
});

describe('lock: in a template', () => {
  it('is one word for tools and models, or a map with both', () => {
    expect(readLockSetting('off')).toEqual({ tools: 'off', models: 'off' });
    expect(readLockSetting('ask')).toEqual({ tools: 'ask', models: 'ask' });
    expect(readLockSetting({ tools: 'warn' })).toEqual({ tools: 'warn', models: 'warn' });
    expect(readLockSetting({ models: 'off' })).toEqual({ tools: 'ask', models: 'off' });
    expect(readLockSetting(undefined)).toBeUndefined();
  });
});
