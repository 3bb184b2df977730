// CRC-32 (the polynomial of PNG and gzip, reflected 0xedb88320), four bytes a step.

const kTables = makeTables();

function makeTables(): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const tables = [0, 1, 2, 3].map(() => new Uint32Array(256)) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  for (let n = 0; n < 256; ++n) {
    let crc = n;
    for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    tables[0][n] = crc;
  }
  tables[0].forEach((first, n) => {
    let crc = first;
    for (const table of tables.slice(1)) {
      crc = (tables[0][crc & 0xff] ?? 0) ^ (crc >>> 8);
      table[n] = crc;
    }
  });
  return tables;
}

/** Of the words as little-endian bytes. */
export function crc32OfWords(words: Uint32Array): number {
  const t0 = kTables[0];
  const t1 = kTables[1];
  const t2 = kTables[2];
  const t3 = kTables[3];
  let crc = ~0;
  for (let i = 0; i < words.length; ++i) {
    const mixed = crc ^ (words[i] as number);
    crc =
      (t3[mixed & 0xff] as number) ^
      (t2[(mixed >>> 8) & 0xff] as number) ^
      (t1[(mixed >>> 16) & 0xff] as number) ^
      (t0[mixed >>> 24] as number);
  }
  return ~crc >>> 0;
}
