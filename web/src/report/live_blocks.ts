// The blocks that the program has, by address. Columns by slot; a slot that was freed serves the next block.

const kFirstSlots = 1024;

export class LiveBlocks {
  request = new Float64Array(kFirstSlots);
  chunkBytes = new Float64Array(kFirstSlots); // header and rounding included
  bornEvent = new Float64Array(kFirstSlots);
  bornAllocation = new Float64Array(kFirstSlots); // allocations before it
  bornBytes = new Float64Array(kFirstSlots); // bytes allocated before it
  site = new Uint32Array(kFirstSlots); // its row in SiteFacts
  /** Found by a snapshot: when it was allocated is not known. */
  found = new Uint8Array(kFirstSlots);
  readonly #slots = new Map<number, number>();
  readonly #free: number[] = [];
  #end = 0; // slots ever used

  get count(): number {
    return this.#slots.size;
  }

  /** The slot of the block at an address; undefined when there is none. */
  at(address: number): number | undefined {
    return this.#slots.get(address);
  }

  /** A slot for a new block; its columns are the caller's to write. pre: no block is there */
  add(address: number): number {
    const slot = this.#free.pop() ?? this.#end++;
    if (slot >= this.request.length) this.#lengthen();
    this.#slots.set(address, slot);
    return slot;
  }

  /** The slot's columns stay readable until the next add. */
  remove(address: number): void {
    const slot = this.#slots.get(address);
    if (slot === undefined) return;
    this.#slots.delete(address);
    this.#free.push(slot);
  }

  /** The block is now at another address; a block that was there is gone. */
  move(from: number, to: number): void {
    const slot = this.#slots.get(from);
    if (slot === undefined || from === to) return;
    this.remove(to);
    this.#slots.delete(from);
    this.#slots.set(to, slot);
  }

  clear(): void {
    this.#slots.clear();
    this.#free.length = 0;
    this.#end = 0;
  }

  entries(): IterableIterator<[address: number, slot: number]> {
    return this.#slots.entries();
  }

  #lengthen(): void {
    const longer = <T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const length = this.request.length * 2;
    this.request = longer(this.request, new Float64Array(length));
    this.chunkBytes = longer(this.chunkBytes, new Float64Array(length));
    this.bornEvent = longer(this.bornEvent, new Float64Array(length));
    this.bornAllocation = longer(this.bornAllocation, new Float64Array(length));
    this.bornBytes = longer(this.bornBytes, new Float64Array(length));
    this.site = longer(this.site, new Uint32Array(length));
    this.found = longer(this.found, new Uint8Array(length));
  }
}
