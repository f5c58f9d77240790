// What is ordered under a key is done once: asked again, as pages do that have not heard the answer, it is answered as before.
import type { PostReply } from '../wire.schema.ts';

export type Once = (key: string | undefined, work: () => Promise<PostReply>) => Promise<PostReply>;

/** So many answers are remembered, the newest. */
const MOST = 1_000;

export function onceByKey(): Once {
  const answers = new Map<string, Promise<PostReply>>();
  return (key, work) => {
    if (key === undefined) return work();
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answered = work();
    answers.set(key, answered);
    const [oldest] = answers.keys();
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest);
    // A fault of ours is no answer.
    answered.catch(() => answers.delete(key));
    return answered;
  };
}
