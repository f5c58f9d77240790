// Secrets are removed from texts and values in every common encoding.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import { redactionOf } from '../../src/runtime/ports/redaction.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { templateOf } from '../engine/template-of.ts';
import { engineOf, good } from './set-up.ts';

const secret = fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }).filter((text) => text.isWellFormed());
const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array));

/** Tells whether four consecutive bytes of the secret can be read from the redacted text. */
function leaks(clean: string, whole: Buffer, encoding: 'base64' | 'base64url' | 'hex'): boolean {
  const pieces = clean.split('***');
  const wanted = whole.toString('latin1');
  return pieces.some((piece) =>
    [0, 1, 2, 3].some((skip) =>
      Array.from({ length: Math.max(0, wanted.length - 3) }, (_, at) => wanted.slice(at, at + 4)).some((part) =>
        Buffer.from(piece.slice(skip), encoding).toString('latin1').includes(part),
      ),
    ),
  );
}

describe('a secret is found', () => {
  it.each(['base64', 'base64url', 'hex'] as const)('in %s, at any offset of the encoded bytes', (encoding) => {
    fc.assert(
      fc.property(secret, bytes, bytes, (hidden, before, after) => {
        const held = Buffer.from(hidden);
        // The text around the secret must not spell the beginning of the secret again.
        fc.pre(!Buffer.concat([before, after]).toString('latin1').includes(held.toString('latin1').slice(0, 2)));
        const text = Buffer.concat([before, held, after]).toString(encoding);
        const clean = redactionOf([hidden]).text(`<${text}>`);
        expect(clean).toContain('***');
        expect(clean).not.toContain(held.toString(encoding).slice(0, -3));
        if (before.length + after.length === 0) expect(clean).toBe('<***>');
      }),
      { numRuns: 300 },
    );
  });

  it('so that no four bytes of it remain readable', () => {
    const hidden = 'sk-live_0815/4711+secret';
    for (const before of ['', 'a', 'ab', 'user:', 'some-user:']) {
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const clean = redactionOf([hidden]).text(Buffer.from(`${before}${hidden}!`).toString(encoding));
        expect([before, encoding, leaks(clean, Buffer.from(hidden), encoding)]).toEqual([before, encoding, false]);
      }
    }
  });

  it.each([
    ['in plain text', 'the key p%ss "w0rd"/é+ was refused'],
    ['in a text of JSON', JSON.stringify({ key: 'p%ss "w0rd"/é+' })],
    ['in an address', `https://x.example/?key=${encodeURIComponent('p%ss "w0rd"/é+')}`],
    [
      'in an address with lower-case escapes',
      encodeURIComponent('p%ss "w0rd"/é+').replace(/%../g, (each) => each.toLowerCase()),
    ],
    ['in a form', new URLSearchParams({ key: 'p%ss "w0rd"/é+' }).toString()],
    ['in Basic credentials', `Basic ${Buffer.from('ann:p%ss "w0rd"/é+').toString('base64')}`],
    ['in upper-case hex', Buffer.from('p%ss "w0rd"/é+').toString('hex').toUpperCase()],
    ['in Base64 of JSON', Buffer.from(JSON.stringify(['p%ss "w0rd"/é+'])).toString('base64')],
    ['in Base64 in an address', encodeURIComponent(Buffer.from('??p%ss "w0rd"/é+>>').toString('base64'))],
  ])('%s', (_, text) => {
    const clean = redactionOf(['p%ss "w0rd"/é+']).text(text);
    expect(clean).toContain('***');
    expect(clean).not.toMatch(/w0rd|dzByZ|cwcmQ|MHJk|7730|w0r/i);
  });

  it.each(['\n', '\r\n'])('in encoded bytes whose lines are broken by %j', (end) => {
    const hidden = 'a-secret-of-some-length';
    const encoded = Buffer.from(`${'x'.repeat(49)}${hidden}${'y'.repeat(60)}`).toString('base64');
    const wrapped = encoded.replace(/.{76}/g, (line) => line + end);
    const clean = redactionOf([hidden]).text(`before\n${wrapped}\nafter`);
    expect(Buffer.from(clean.replaceAll('***', '').replace(/before|after/g, ''), 'base64').toString()).not.toMatch(
      /secret|some|length/,
    );
    expect(clean).toMatch(/^before\n.*\*\*\*.*\nafter$/s);
  });

  it('in keys and texts of a value, and a value without a secret stays the same object', () => {
    const redaction = redactionOf(['hush-hush']);
    const value: Json = { a: ['hush-hush'], 'x-hush-hush': 1, deep: { b: null } };
    expect(redaction.value(value)).toEqual({ a: ['***'], 'x-***': 1, deep: { b: null } });
    const clean: Json = { a: ['hush'], deep: { b: [1, 'two'] } };
    expect(redaction.value(clean)).toBe(clean);
  });
});

it('redaction ignores secrets that are shorter than four characters', () => {
  expect(redactionOf(['abc', '']).text('abc YWJj 616263')).toBe('abc YWJj 616263');
});

it('redaction removes both of two overlapping secrets', () => {
  expect(redactionOf(['one-two', 'two-three']).text('<one-two-three>')).toBe('<***>');
});

describe('the message of an error is shown', () => {
  const fail = (thrown: () => Error) =>
    defineCapability({
      name: 'fail',
      description: 'Fails.',
      effects: ['compute'],
      run() {
        throw thrown();
      },
    });

  async function failed(thrown: () => Error, surroundings: Readonly<Record<string, string>>) {
    const engine = engineOf({
      journal: openMemoryJournal(),
      capabilities: [fail(thrown)],
      surroundings,
    });
    const template = templateOf({ steps: [{ name: 'a', capability: 'fail' }] });
    const report = await good(await engine.start(template)).done;
    return JSON.stringify(report);
  }

  it.each(['STRIPE_API_KEY', 'GITHUB_TOKEN', 'SIGNING_SECRET', 'DB_PASSWORD'])(
    'without the value of the environment variable %s, although no capability asked for it',
    async (name) => {
      const value = 'shh-4711-0815';
      const said = () =>
        new Error(`refused ${value}, Basic ${Buffer.from(`ann:${value}`).toString('base64')}`, {
          cause: new CapabilityError('X_FAILED', `inside ${value}`),
        });
      const text = await failed(said, { [name]: value, HOME: '/home/ann' });
      expect(text).toContain('refused ***, Basic');
      expect(text).not.toContain(value);
      expect(text).not.toContain(Buffer.from(value).toString('base64').slice(2, -4));
    },
  );

  it('without the beginning of a secret at the cut of a long message', async () => {
    const value = 'shh-4711-0815-and-more';
    for (const left of [4, 10, 21]) {
      const text = await failed(() => new Error(`${'x'.repeat(2_000 - left)}${value} and so on`), { A_TOKEN: value });
      expect(text).toContain('x***… (cut: ');
      expect(text).not.toContain('shh-');
    }
  });

  it('with flags and numbers that stand in variables with secret names', async () => {
    const text = await failed(() => new Error('no null, true or 4096'), {
      USE_TOKEN: 'true',
      A_TOKEN: 'null',
      MAX_TOKENS: '4096',
    });
    expect(text).toContain('no null, true or 4096');
  });
});
