// Which sizes a bin holds. The numbers of the bins are facts of the events; what they mean is the allocator's layout
// (core: index/bins.hpp, I1 and I2), told here for readers only: nothing is decided by it.
//
//   small  size kMinChunk + bin * kAlign, below 64 words: one size a bin
//   large  each power of two in 16 equal steps

const kSteps = 16;

export interface BinRange {
  readonly low: number;
  readonly high: number;
}

export function binRange(bin: number, wordSize: 4 | 8): BinRange {
  const align = 2 * wordSize;
  const minChunk = 4 * wordSize;
  const minLarge = 64 * wordSize;
  const smallBins = (minLarge - minChunk) / align;
  if (bin < smallBins) return { low: minChunk + bin * align, high: minChunk + bin * align };
  const power = minLarge * 2 ** Math.floor((bin - smallBins) / kSteps);
  const step = power / kSteps;
  const low = power + ((bin - smallBins) % kSteps) * step;
  return { low, high: low + step - align };
}

/** The bin that holds chunks of a size. */
export function binOf(size: number, wordSize: 4 | 8): number {
  const minChunk = 4 * wordSize;
  const minLarge = 64 * wordSize;
  if (size < minLarge) return (size - minChunk) / (2 * wordSize);
  const power = Math.floor(Math.log2(size));
  const step = Math.floor(size / 2 ** (power - 4)) - kSteps;
  return (minLarge - minChunk) / (2 * wordSize) + (power - Math.log2(minLarge)) * kSteps + step;
}
