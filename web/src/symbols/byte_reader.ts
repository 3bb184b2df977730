// The bytes of a wasm file, read from front to back.
//
//   B1  A number that ends behind the file throws WasmFileError; nothing is read past the end.

/** What is wrong with a wasm file, in one sentence. */
export class WasmFileError extends Error {}

export class ByteReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isDone(): boolean {
    return this.at >= this.end;
  }

  /** The same bytes from here on, up to `size` bytes; this reader goes on behind them. */
  part(size: number): ByteReader {
    const from = this.at;
    this.skip(size);
    return new ByteReader(this.bytes, from, this.at);
  }

  skip(size: number): void {
    if (size < 0 || this.at + size > this.end) throw this.#ended();
    this.at += size;
  }

  #ended(): WasmFileError {
    return new WasmFileError(`the file ends within what begins at ${this.at}`);
  }

  u8(): number {
    const byte = this.at < this.end ? this.bytes[this.at] : undefined;
    if (byte === undefined) throw this.#ended();
    ++this.at;
    return byte;
  }

  u16(): number {
    this.skip(2);
    return this.view.getUint16(this.at - 2, true);
  }

  u32(): number {
    this.skip(4);
    return this.view.getUint32(this.at - 4, true);
  }

  /** LEB128, up to 53 bits: larger ones lose their low bits, which no index, size or line has. */
  unsigned(): number {
    const first = this.u8();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let scale = 128; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return byte & 0x40 ? value - scale * 128 : value;
    }
  }

  skipLeb(): void {
    while (this.u8() >= 0x80);
  }

  /** A text behind its size. */
  name(): string {
    const size = this.unsigned();
    this.skip(size);
    return new TextDecoder().decode(this.bytes.subarray(this.at - size, this.at));
  }

  /** A text up to the zero behind it. */
  zeroEnded(): string {
    const from = this.at;
    while (this.u8() !== 0);
    return new TextDecoder().decode(this.bytes.subarray(from, this.at - 1));
  }
}

/** LEB128 of an unsigned number up to 53 bits. */
export function unsignedLeb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** LEB128 of a number from 0 on, for a place that takes signed ones. */
export function signedLeb(value: number): number[] {
  const bytes = unsignedLeb(value);
  const last = bytes.length - 1;
  if ((bytes[last] ?? 0) < 64) return bytes;
  return [...bytes.slice(0, last), (bytes[last] ?? 0) | 128, 0];
}
