// Counts with nouns in singular or plural.

/** `1 step`, `2 steps`, `1 branch`, `2 branches` */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** `1 of 1 branch`, `0 of 2 branches` */
export function shareOf(part: number, whole: number, noun: string, nouns = `${noun}s`): string {
  return `${part} of ${counted(whole, noun, nouns)}`;
}
