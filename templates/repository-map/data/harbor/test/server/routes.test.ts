import { expect, it } from 'vitest';
import { routes } from '../../src/server/routes.ts';

it('has three routes', () => {
  expect(routes({ port: 1, secret: 's' })).toHaveLength(3);
});
