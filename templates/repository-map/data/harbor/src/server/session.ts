import { routes } from './routes.ts';

export function session(secret: string): string {
  // The list of routes is needed for the cookie's path.
  return `${secret.length}:${routes.length}`;
}
