// Seeded random numbers, the same on every machine: sfc32 (Chris Doty-Humphrey, PractRand), its state filled by
// splitmix32 from one 32-bit seed. Not for secrets.

export interface Random {
  /** Any 32-bit number. */
  next(): number;
  /** A whole number in [0, limit). limit is at most 2^32; 0 gives 0. */
  below(limit: number): number;
  /** In [0, 1), 32 bits fine. */
  unit(): number;
}

/** Independent streams for different seeds. The functions may be passed on without their object. */
export function createRandom(seed: number): Random {
  const state = splitmix32(seed);
  let a = state();
  let b = state();
  let c = state();
  let counter = 1;

  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; ++i) next(); // the first numbers still show the seed
  const unit = () => next() / 0x1_0000_0000;
  return { next, unit, below: (limit) => Math.floor(unit() * limit) };
}

function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
