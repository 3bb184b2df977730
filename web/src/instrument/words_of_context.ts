// Arithmetic modulo 2^64 in two words of 32 bits: BigInt makes an object of each number.

import { kFactor } from './site_table.ts';

/** context in a call = context in which it stands * this + its number. Odd, so it has an inverse. */
export const kFactorOfCalls = BigInt(kFactor);

/** x * inverse = 1: each round doubles the bits that are right. pre: x is odd */
export function inverseOf(x: bigint): bigint {
  let inverse = x;
  for (let round = 0; round < 5; ++round) inverse = BigInt.asUintN(64, inverse * (2n - x * inverse));
  return inverse;
}

/** Low and high word. */
export function halves(context: bigint): readonly [number, number] {
  return [Number(BigInt.asUintN(32, context)), Number(BigInt.asUintN(32, context >> 32n))];
}

/** The upper word of a product of two words. */
export function highOfProduct(one: number, other: number): number {
  const [oneLow, oneHigh, otherLow, otherHigh] = [one & 0xffff, one >>> 16, other & 0xffff, other >>> 16];
  const middle = oneHigh * otherLow + ((oneLow * otherLow) >>> 16);
  return oneHigh * otherHigh + (middle >>> 16) + ((oneLow * otherHigh + (middle & 0xffff)) >>> 16);
}
