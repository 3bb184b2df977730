// Reads and writes the numbers and names of a wasm file.

const kDecoder = new TextDecoder();

export interface ByteReader {
  readonly bytes: Uint8Array;
  at: number;
  byte(): number;
  /** LEB128. */
  unsigned(): number;
  skipNumber(): void;
  name(): string;
}

export function readerOf(bytes: Uint8Array, from: number): ByteReader {
  const reader: ByteReader = {
    bytes: bytes,
    at: from,
    byte: () => {
      if (reader.at >= bytes.length) throw new RangeError('the wasm file ends too early');
      return bytes[reader.at++] as number;
    },
    unsigned: () => {
      let value = 0;
      for (let shift = 1; ; shift *= 128) {
        const byte = reader.byte();
        value += (byte & 0x7f) * shift;
        if (byte < 0x80) return value;
      }
    },
    skipNumber: () => {
      while (reader.byte() >= 0x80);
    },
    name: () => {
      const size = reader.unsigned();
      reader.at += size;
      return kDecoder.decode(bytes.subarray(reader.at - size, reader.at));
    },
  };
  return reader;
}

export function unsignedBytes(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      bytes.push(rest);
      return bytes;
    }
    bytes.push((rest % 128) | 0x80);
  }
}

/** A name of ASCII letters. */
export const nameBytes = (name: string): number[] =>
  unsignedBytes(name.length).concat(Array.from(name, (letter) => letter.charCodeAt(0)));

const kPrime = 0x0100_0193; // FNV-1a, over words

/** A number that another file does not have, but by chance: one in 2^32. */
export function markOf(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, bytes.length >>> 2);
  let mark = bytes.length;
  for (let i = 0; i < words.length; ++i) {
    mark = Math.imul(mark ^ (words[i] as number), kPrime);
    mark ^= mark >>> 15; // else the high bits of a word reach no low bit
  }
  for (let i = 4 * words.length; i < bytes.length; ++i) mark = Math.imul(mark ^ (bytes[i] as number), kPrime);
  return mark >>> 0;
}
