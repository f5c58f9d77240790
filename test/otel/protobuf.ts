// Reads the wire format of protocol buffers by a table of fields, independently of the library that writes it.

/** `message` fields name another table; `fixed64` is read as text, because a number cannot hold it. */
interface Field {
  readonly name: string;
  readonly as: 'text' | 'hex' | 'fixed64' | 'fixed32' | 'int' | 'bool' | 'double' | Table;
  readonly many?: true;
}
export type Table = () => Readonly<Record<number, Field>>;

type Message = Record<string, unknown>;

export function readMessage(bytes: Uint8Array, table: Table): Message {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const message: Message = {};
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  while (at < bytes.length) {
    const key = Number(varint());
    const [number, wire] = [key >> 3, key & 7];
    const field = table()[number];
    if (field === undefined) throw new Error(`field ${number} is not in the table`);
    let value: unknown;
    if (wire === 0) value = scalar(varint(), field);
    else if (wire === 1) {
      value = field.as === 'double' ? view.getFloat64(at, true) : String(view.getBigUint64(at, true));
      at += 8;
    } else if (wire === 5) {
      value = view.getUint32(at, true);
      at += 4;
    } else if (wire === 2) {
      const length = Number(varint());
      value = delimited(bytes.subarray(at, at + length), field);
      at += length;
    } else throw new Error(`wire type ${wire}`);
    if (field.many) message[field.name] = [...((message[field.name] as unknown[] | undefined) ?? []), value];
    else message[field.name] = value;
  }
  return message;
}

function scalar(value: bigint, { as }: Field): number | boolean {
  return as === 'bool' ? value === 1n : Number(BigInt.asIntN(64, value));
}

function delimited(bytes: Uint8Array, { as }: Field): unknown {
  if (typeof as === 'function') return readMessage(bytes, as);
  return as === 'hex' ? Buffer.from(bytes).toString('hex') : Buffer.from(bytes).toString('utf8');
}
