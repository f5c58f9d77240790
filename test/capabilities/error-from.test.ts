// The error that is rebuilt from the failure of a thread or process.
import { expect, it } from 'vitest';
import { failure } from '../../src/base/failure.ts';
import { failureOf } from '../../src/capabilities/capability-error.ts';
import { errorFrom } from '../../src/capabilities/error-from.ts';

it('a rebuilt error has the failure of the original, with its fate and its cause', () => {
  const original = failure('SHOP_CLOSED', 'the shop is closed', {
    retry: 'never',
    retryAfter: 1_000,
    fate: 'refused',
    cause: failure('CAPABILITY_THREW', 'no light is on'),
  });
  expect(failureOf(errorFrom(original))).toMatchObject({ ...original, cause: { message: 'no light is on' } });
});
