// Answers the requests of a thread from the context of its call.
import type { Readable } from 'node:stream';
import { bad, good } from '../../base/result.ts';
import type { CallContext } from '../capability.ts';
import { CapabilityError, failureOf } from '../capability-error.ts';
import { writeLine } from '../log.ts';
import type { BlockingRequest, Exchanges, ThreadAnswer, ThreadRequest } from './wire.ts';

export interface Answerer {
  request(id: number, request: ThreadRequest): Promise<ThreadAnswer>;
  question(question: BlockingRequest): ThreadAnswer;
  cancel(id: number): void;
  /** Closes the streams that the call left open. */
  end(): void;
}

export function answererFor(ctx: CallContext): Answerer {
  const controllers = new Map<number, AbortController>();
  const streams = new Map<number, Readable>();
  const over = new AbortController();

  async function answer(request: ThreadRequest, signal: AbortSignal): Promise<Exchanges[keyof Exchanges]['got']> {
    const { files, http } = ctx;
    switch (request.what) {
      case 'resolve':
        return files.resolve(...request.given);
      case 'list':
        return files.list(...request.given);
      case 'read':
        return copyOf(await files.read(...request.given));
      case 'head': {
        const { head, bytes } = await files.head(...request.given);
        return { head: copyOf(head), bytes };
      }
      case 'write':
        return files.write(...request.given);
      case 'append':
        await files.append(...request.given);
        return undefined;
      case 'remove':
        return files.remove(...request.given);
      case 'open': {
        const stream = await files.stream(request.given[0], over.signal);
        const number = streams.size + 1;
        streams.set(number, stream);
        return number;
      }
      case 'next':
        return nextOf(streams.get(request.given[0]));
      case 'close':
        streams.get(request.given[0])?.destroy();
        return undefined;
      case 'send': {
        const { status, url, headers, body } = await http.send({ ...request.given[0], signal });
        return { status, url, headers, body: copyOf(body) };
      }
    }
  }

  return {
    async request(id, request) {
      const controller = new AbortController();
      controllers.set(id, controller);
      try {
        const signal = AbortSignal.any([ctx.signal, over.signal, controller.signal]);
        return good(await answer(request, signal));
      } catch (thrown) {
        return bad(failureOf(thrown));
      } finally {
        controllers.delete(id);
      }
    },
    question(question) {
      try {
        switch (question.what) {
          case 'secret':
            return good(ctx.secret(question.name));
          case 'env':
            return good(ctx.env(question.name));
          case 'log':
            writeLine(ctx.log, question.line);
            return good(undefined);
          case 'print':
            return good(undefined);
        }
      } catch (thrown) {
        return bad(failureOf(thrown));
      }
    },
    cancel: (id) => controllers.get(id)?.abort(),
    end() {
      over.abort();
      for (const stream of streams.values()) stream.destroy();
    },
  };
}

/** Copies a buffer out of its shared pool; otherwise the message would carry the whole pool. */
function copyOf(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}

async function nextOf(stream: Readable | undefined): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (stream === undefined) throw new CapabilityError('FILE_UNREADABLE', 'there is no such stream', { retry: 'never' });
  const { done, value } = await stream.iterator({ destroyOnReturn: false }).next();
  return done === true ? undefined : copyOf(value);
}
