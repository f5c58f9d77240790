// The line of a prompt that tells how much time is left: what is asked at another time with other words there is the same question.

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
