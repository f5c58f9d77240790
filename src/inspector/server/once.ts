// Carries out an order only once per key: a retry, as pages send when they got no reply, gets the first reply again.
import type { BoundReply, PostReply } from '../wire.schema.ts';

type Reply = PostReply | BoundReply;

export type OncePerKey = (key: string | undefined, work: () => Promise<Reply>) => Promise<Reply>;

/** The most replies to remember; the oldest are forgotten first. */
const MOST_REPLIES = 1_000;

export function onceByKey(): OncePerKey {
  const answers = new Map<string, Promise<Reply>>();
  return (key, work) => {
    if (key === undefined) return work();
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answered = work();
    answers.set(key, answered);
    const [oldest] = answers.keys();
    if (answers.size > MOST_REPLIES && oldest !== undefined) answers.delete(oldest);
    // A bug must not be remembered as a reply.
    answered.catch(() => answers.delete(key));
    return answered;
  };
}
