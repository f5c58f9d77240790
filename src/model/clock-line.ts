// The prompt line with the time left. Cassettes ignore it when they compare requests.

const BEGINNING = '- time left: ';

export function clockLine(left: string): string {
  return `${BEGINNING}${left}`;
}

export function withoutClock(prompt: string): string {
  return prompt
    .split('\n')
    .filter((line) => !line.startsWith(BEGINNING))
    .join('\n');
}
