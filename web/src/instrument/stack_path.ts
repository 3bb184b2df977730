// A stack read from the inside out: its calls, and the context in which each of them stands.

import type { NumberedCall } from './site_table.ts';
import { halves, highOfProduct, inverseOf, kFactorOfCalls } from './words_of_context.ts';

const [kInverseLow, kInverseHigh] = halves(inverseOf(kFactorOfCalls));
const kCapacity = 64; // contexts, at first

export class StackPath {
  readonly calls: NumberedCall[] = [];
  low = new Uint32Array(kCapacity); // of the context in each call, and behind them of that in which the outermost one stands
  high = new Uint32Array(kCapacity);

  /** `context`: in the innermost call. */
  begin([low, high]: readonly [number, number]): this {
    this.calls.length = 0;
    this.low[0] = low;
    this.high[0] = high;
    return this;
  }

  copy(): StackPath {
    const copy = new StackPath();
    copy.calls.push(...this.calls);
    copy.low = this.low.slice();
    copy.high = this.high.slice();
    return copy;
  }

  get length(): number {
    return this.calls.length;
  }

  /** The next call outward. */
  add(call: NumberedCall): void {
    const nth = this.calls.push(call);
    if (nth === this.low.length) this.#double();
    const low = this.low[nth - 1] as number;
    const less = (low - call.number) >>> 0;
    const lessHigh = (this.high[nth - 1] as number) - (low < call.number ? 1 : 0);
    this.low[nth] = Math.imul(less, kInverseLow);
    this.high[nth] =
      highOfProduct(less, kInverseLow) + Math.imul(less, kInverseHigh) + Math.imul(lessHigh, kInverseLow);
  }

  addAll(calls: Iterable<NumberedCall>): this {
    for (const call of calls) this.add(call);
    return this;
  }

  #double(): void {
    const [low, high] = [this.low, this.high];
    this.low = new Uint32Array(2 * low.length);
    this.high = new Uint32Array(2 * high.length);
    this.low.set(low);
    this.high.set(high);
  }
}
