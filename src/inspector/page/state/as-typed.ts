// Commands as they can be typed here: the server says with which words the command line is called.

/** Rewrites commands such as `reconverge run FILE` in a text. */
export function asTyped(text: string): string {
  const program = document.documentElement.dataset.program ?? 'reconverge';
  return text.replaceAll(/(?<![\w/.-])reconverge (?=[a-z])/g, `${program} `);
}
