// The question of a gate in one sentence, for a headline, and the words around it.

export interface GateQuestionText {
  /** The first question of the prompt, or its first sentence. */
  readonly question: string;
  /** The rest of the prompt; empty if the question is all of it. */
  readonly rest: string;
}

/** `The report is ready. May it be written?` → `May it be written?` */
export function questionIn(prompt: string): GateQuestionText {
  const text = prompt.trim();
  const sentences = text.match(/[^\n.?!]*(?:[.?!](?!\s|$)[^\n.?!]*)*(?:[.?!]+(?=\s|$)|\n|$)/g)?.filter(isFilled) ?? [];
  const found = sentences.find((sentence) => sentence.trim().endsWith('?')) ?? sentences[0] ?? text;
  const at = text.indexOf(found);
  const rest = `${text.slice(0, at).trimEnd()}\n${text.slice(at + found.length).trimStart()}`;
  return { question: found.trim(), rest: rest.trim() };
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}
