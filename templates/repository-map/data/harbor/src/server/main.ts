import { routes } from './routes.ts';
import { config } from '../config/index.ts';

export function start(): void {
  for (const route of routes(config)) console.log(route.path);
}
