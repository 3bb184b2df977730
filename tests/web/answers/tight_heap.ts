// A real heap whose top is used up, with holes of nearly one size: there the search goes through lists and has to choose, slabs look for
// places of their alignment, and what malloc caches may be the largest there is.

import { answer } from '../../../web/src/answers/answer.ts';
import { type Addr, addr, bytes } from '../../../web/src/base/brand.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo, FitsFigures } from '../../../web/src/protocol/answers.ts';
import { EventKind, kSlabLists } from '../../../web/src/protocol/event_layout.ts';
import type { Operation } from '../../../web/src/protocol/messages.ts';
import { decodeEvent, isGrowth } from '../../../web/src/trace/decode.ts';
import { Drive } from '../model/drive.ts';

/** What a call did, by its events. */
interface Took {
  readonly mem: Addr | undefined;
  readonly grew: boolean;
  readonly from: FitsFigures['from'];
}

export class TightHeap {
  readonly #drive: Drive;
  readonly #model: Model;
  readonly #heap: number;

  private constructor(drive: Drive) {
    this.#drive = drive;
    this.#model = new Model(drive.trace);
    this.#heap = drive.calls.heaps[0] ?? 0;
  }

  static async start(seed: number): Promise<TightHeap> {
    return new TightHeap(await Drive.start(seed));
  }

  /** From here on the trace shows that malloc has this heap. */
  showMalloc(): void {
    this.free(this.malloc(16).mem ?? addr(0));
  }

  ask(size?: number): AnswerTo<'fits'> {
    this.#drive.module.drain();
    this.#model.history.fold();
    const asked = { model: this.#model, event: this.#drive.trace.count, heap: this.#heap };
    return answer(asked, size === undefined ? { ask: 'fits' } : { ask: 'fits', bytes: size }) as AnswerTo<'fits'>;
  }

  malloc(size: number): Took {
    return this.#take({ op: 'mallocAllocate', thread: undefined, size: bytes(size), count: 1 });
  }

  free(mem: Addr): void {
    this.#drive.calls.operate(0, { op: 'mallocFree', thread: undefined, mem });
  }

  deallocate(mem: Addr): void {
    this.#drive.calls.operate(0, { op: 'deallocate', mem });
  }

  flush(): void {
    this.#drive.calls.operate(0, { op: 'mallocFlush', thread: undefined });
  }

  /** Holes between blocks that stay, and no top. */
  comb(sizes: readonly number[]): void {
    const holes = sizes.flatMap((size) => {
      const { mem } = this.allocate(size);
      this.allocate(24);
      return mem ?? [];
    });
    this.fillTop();
    for (const mem of holes) this.deallocate(mem);
  }

  fillTop(): void {
    const { top_bytes } = this.ask(1).figures;
    if (top_bytes > 0) this.allocate(top_bytes - 4);
  }

  /** What differs between the heap and the model. */
  compare(): string | undefined {
    return this.#drive.compare();
  }

  allocate(size: number): Took {
    return this.#take({ op: 'allocate', size: bytes(size) });
  }

  #take(operation: Operation): Took {
    const { calls, module, trace } = this.#drive;
    module.drain();
    const before = trace.count;
    const [mem] = calls.operate(0, operation).mems;
    module.drain();
    const events = Array.from({ length: trace.count - before }, (_, nth) => decodeEvent(trace, before + nth));
    let from: FitsFigures['from'] = 'none';
    for (const { kind, detail } of events) {
      if (kind === EventKind.binRemoved) from = 'bin';
      else if (kind === EventKind.victimChanged) from = 'victim';
      else if (kind === EventKind.topChanged) from = 'top';
      else if (kind === EventKind.chunkReused) from = detail < kSlabLists ? 'cache' : 'slab';
      if (kind === EventKind.chunkTaken || kind === EventKind.chunkReused) break;
    }
    return { mem, grew: events.some(({ kind }) => isGrowth(kind)), from };
  }
}
