// Which addresses a run may reach over HTTP.

export interface HttpPolicy {
  /** `api.example.com`, `*.example.com`, `localhost:8080`, `https://example.com`, `*`; a port that is not usual is named, or `*`. */
  readonly allow: readonly string[];
  /** Also addresses of this machine and of networks that are not public. */
  readonly private: boolean;
}

export interface HostPattern {
  readonly scheme: 'http:' | 'https:' | undefined;
  /** Lower case; `*` before it stands for one or more labels. */
  readonly host: string;
  /** Absent: the usual one of the scheme. */
  readonly port: string | undefined;
}

const PATTERN = /^(?:(https?):\/\/)?(\*|(?:\*\.)?[^\s/:*?#@[\]]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}|\*))?$/;

/** Undefined for a text that is no pattern. */
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
