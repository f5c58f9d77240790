// What the engine's code takes from `node:crypto`, for the page: SHA-256 (FIPS 180-4), at once and without waiting.

/** As `hash` of `node:crypto`, for the one algorithm and the one encoding that digests have. */
export function hash(_algorithm: 'sha256', text: string, _encoding: 'base64url'): string {
  const state = new Uint32Array(START);
  const view = new DataView(padded(new TextEncoder().encode(text)).buffer);
  for (let at = 0; at < view.byteLength; at += BLOCK) mix(state, view, at);
  const bytes = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    bytes.setUint32(index * 4, word);
  });
  const letters = String.fromCharCode(...new Uint8Array(bytes.buffer));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const BLOCK = 64;
const ROUNDS = 64;

/** The first 32 bits behind the point of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const primes = primesUpTo(312);
const START = primes.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
const KEYS = primes.map((prime) => fraction(prime ** (1 / 3)));

function primesUpTo(most: number): readonly number[] {
  const found: number[] = [];
  for (let each = 2; each < most; each++) if (found.every((prime) => each % prime !== 0)) found.push(each);
  return found;
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

/** A one, zeros, and the length in bits, to whole blocks. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return whole;
}

function mix(state: Uint32Array, block: DataView, at: number): void {
  const words = new Uint32Array(ROUNDS);
  const word = (index: number): number => words[index] ?? 0;
  for (let t = 0; t < ROUNDS; t++) {
    if (t < 16) words[t] = block.getUint32(at + t * 4);
    else {
      const [x, y] = [word(t - 15), word(t - 2)];
      const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      words[t] = word(t - 16) + low + word(t - 7) + high;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < ROUNDS; t++) {
    const chosen = (e & f) ^ (~e & g);
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + (KEYS[t] ?? 0) + word(t);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
