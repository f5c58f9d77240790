// Takes in a body up to a size, decompressed: what is larger is given up as soon as that is known.
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { CapabilityError, messageOf } from '../capability-error.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
  identity: () => new PassThrough(),
};

/** What an exchange may be asked to compress with. */
export const encodings = 'gzip, deflate, br, zstd';

/** @throws CapabilityError HTTP_BODY_TOO_LARGE, HTTP_BODY_BROKEN */
export async function readBody(response: IncomingMessage, method: string, maxBytes: number): Promise<Buffer> {
  if (method === 'HEAD') return Buffer.alloc(0);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const decoder = decoderOf(response);
  const pieces: Buffer[] = [];
  let bytes = 0;
  const takeIn = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    }
  };
  try {
    await pipeline(response, decoder, takeIn);
  } catch (thrown) {
    throw thrown instanceof CapabilityError ? thrown : broken(messageOf(thrown));
  }
  return Buffer.concat(pieces);
}

/** More than one encoding is a sign of something else than thrift. */
function decoderOf({ headers }: IncomingMessage): Transform {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const make = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (make === undefined) throw broken(`it is encoded as ${encoding.slice(0, 100)}`);
  return make();
}

function tooLarge(maxBytes: number): CapabilityError {
  return new CapabilityError(
    'HTTP_BODY_TOO_LARGE',
    `the answer has more than ${maxBytes} bytes; allow more with max_bytes`,
    {
      retry: 'never',
    },
  );
}

function broken(why: string): CapabilityError {
  return new CapabilityError('HTTP_BODY_BROKEN', `the answer cannot be read: ${why}`);
}
