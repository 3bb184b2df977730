// Writes pickles as Python does, protocol 2 to 4: for tests that read them.

export type Value =
  | number
  | bigint
  | string
  | boolean
  | null
  | Uint8Array
  | readonly Value[]
  | ReadonlyMap<string, Value>;

const little = (value: number | bigint, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));

/** Every third value is kept in the memo, every list once by single appends. */
export function pickle(value: Value, protocol: 2 | 4): Uint8Array {
  let values = 0;
  let kept = 0;
  const memo = (): number[] => {
    if (values++ % 3 !== 0) return [];
    const number = kept++;
    if (protocol === 4) return [0x94];
    return number < 256 ? [0x71, number] : [0x72, ...little(number, 4)];
  };
  const write = (one: Value): number[] => {
    if (one === null) return [0x4e];
    if (typeof one === 'boolean') return [one ? 0x88 : 0x89];
    if (typeof one === 'number' && !Number.isInteger(one)) {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setFloat64(0, one);
      return [0x47, ...bytes];
    }
    if (typeof one === 'number' || typeof one === 'bigint') return integer(BigInt(one));
    if (typeof one === 'string') return [...text(new TextEncoder().encode(one), protocol), ...memo()];
    if (one instanceof Uint8Array)
      return one.length < 256 ? [0x43, one.length, ...one] : [0x42, ...little(one.length, 4), ...one];
    if (one instanceof Map) {
      const items = [...(one as ReadonlyMap<string, Value>)].map(([key, item]) => [...write(key), ...write(item)]);
      if (items.length === 1) return [0x7d, ...memo(), ...(items[0] ?? []), 0x73];
      return [0x7d, ...memo(), 0x28, ...items.flat(), 0x75];
    }
    const items = (one as readonly Value[]).map(write);
    if (items.length === 1) return [0x5d, ...memo(), ...(items[0] ?? []), 0x61];
    return [0x5d, ...memo(), 0x28, ...items.flat(), 0x65];
  };
  const body = write(value);
  const frame = protocol === 4 ? [0x95, ...little(body.length + 1, 8)] : [];
  return Uint8Array.from([0x80, protocol, ...frame, ...body, 0x2e]);
}

function integer(value: bigint): number[] {
  if (value >= 0n && value < 256n) return [0x4b, Number(value)];
  if (value >= 0n && value < 65_536n) return [0x4d, ...little(value, 2)];
  if (value >= -(2n ** 31n) && value < 2n ** 31n) return [0x4a, ...little(value, 4)];
  let count = 1;
  while (value >= 2n ** BigInt(8 * count - 1) || value < -(2n ** BigInt(8 * count - 1))) ++count;
  return [0x8a, count, ...little(value, count)];
}

function text(bytes: Uint8Array, protocol: 2 | 4): number[] {
  if (protocol === 4 && bytes.length < 256) return [0x8c, bytes.length, ...bytes];
  return [0x58, ...little(bytes.length, 4), ...bytes];
}
