// Serves the tools of modern-tools.ts over stdio, and refuses every client of an older protocol.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { modernServer } from './modern-tools.ts';

serveStdio(() => modernServer(), { legacy: 'reject' });
