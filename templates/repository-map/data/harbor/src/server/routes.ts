import type { Config } from '../config/index.ts';
import { book } from '../berths/book.ts';
import { priceOf } from '../berths/price.ts';
import { session } from './session.ts';

export function routes(config: Config) {
  return [
    { path: '/book', run: book },
    { path: '/price', run: priceOf },
    { path: '/session', run: () => session(config.secret) },
  ];
}
