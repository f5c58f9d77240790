// The key `http`: the addresses that a run may reach.
import { type Issue, issue } from '../../base/issue.ts';
import type { KeyValues } from './key.ts';
import { flag, map, words } from './kinds.ts';

const httpKeys = {
  allow: words(
    'Hosts that may be reached, with a port when it is not the default port of the scheme; `*` for any port.',
    ['api.example.com', '*.example.org:8443'],
  )
    .to((hosts, issues) => {
      issues.push(
        ...hosts.flatMap((host, index) => (readHostPattern(host) === undefined ? [notAHost(host, index)] : [])),
      );
      return hosts;
    })
    .orElse([]),
  private: flag('Whether addresses of this machine and of private networks may be reached too.').or(false),
};

export type HttpPolicy = KeyValues<typeof httpKeys>;

export const http = map('The addresses that HTTP capabilities may reach; none when absent.', httpKeys);

function notAHost(host: string, index: number): Issue {
  return issue('HTTP_HOST_INVALID', `"${host}" is not a host`, {
    path: [index],
    hint: 'write a host without a path: api.example.com, *.example.com, localhost:8080 or https://example.com',
  });
}

export interface HostPattern {
  readonly scheme: 'http:' | 'https:' | undefined;
  /** Lower case; a leading `*` stands for one or more labels. */
  readonly host: string;
  /** Absent: the default port of the scheme. */
  readonly port: string | undefined;
}

const PATTERN = /^(?:(https?):\/\/)?(\*|(?:\*\.)?[^\s/:*?#@[\]]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}|\*))?$/;

/** Undefined when the text is no host pattern. */
export function readHostPattern(text: string): HostPattern | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [, scheme, host = '', port] = match;
  return {
    scheme: scheme === undefined ? undefined : scheme === 'https' ? 'https:' : 'http:',
    host: host.toLowerCase(),
    port,
  };
}
