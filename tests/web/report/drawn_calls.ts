// A trace of calls drawn at random, with blocks whose birth or end is lost, snapshots behind losses and memory that is set back, and what
// the one who draws them knows of each.

import { createRandom } from '../../../web/src/base/random.ts';
import { CallKind } from '../../../web/src/convert/program_table.ts';
import { EventKind, kWalkEvent, Op, Status, WalkKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { SiteWriter } from '../model/sited_trace.ts';

export const kWord = 4 as const;
export const kFunctions = ['load', 'parse', 'draw', 'save'];
const kPlaces = 3000; // more than live blocks have columns at first
const kSpare = 5; // usable bytes more than were asked for

export interface DrawnBlock {
  readonly request: number;
  /** Of its birth; 0: not known. */
  readonly site: number;
  /** Its birth, or where it was found. */
  readonly born: number;
  readonly found: boolean;
}

/** As an export has it. */
export interface DrawnRow {
  readonly call: number;
  readonly event: number;
  readonly block: number;
  readonly address: number;
  readonly bytes: number;
  readonly site: number;
  readonly live_bytes: number;
  readonly live_blocks: number;
}

/** What a call did to the bytes of a site. born, ended: blocks. */
export interface DrawnChange {
  readonly event: number;
  readonly site: number;
  readonly born: number;
  readonly allocated: number;
  readonly ended: number;
  readonly freed: number;
  readonly resized: number;
}

const kNoChange = { born: 0, allocated: 0, ended: 0, freed: 0, resized: 0 };

export class DrawnCalls {
  readonly rows: DrawnRow[] = [];
  readonly changes: DrawnChange[] = [];
  live = new Map<number, DrawnBlock>();
  readonly totals = { reallocations: 0, moved_reallocations: 0, moved_bytes: 0, failed_calls: 0, unknown_frees: 0 };
  readonly #sites = new SiteWriter(new Trace());
  readonly #random;
  readonly #numbers = new Map<number, number>(); // of live blocks
  #blocks = 0;
  #kept: { readonly number: number; readonly live: ReadonlyMap<number, DrawnBlock> } | undefined;
  #isLost = false;

  constructor(seed: number) {
    this.#random = createRandom(seed);
    for (const name of kFunctions) this.site(name);
    this.#fail(this.site('load')); // a model reads on to the first call, which is of no heap that it knows: it sees that calls have sites
  }

  get trace(): Trace {
    return this.#sites.trace;
  }

  site(name: string): number {
    return this.#sites.define(['main', name]);
  }

  /** So many steps, with about so many blocks in the end. */
  draw(steps: number, blocks: number): void {
    for (let step = 0; step < steps; ++step) this.#step(blocks);
  }

  #step(blocks: number): void {
    const kind = this.#random.below(1000);
    if (kind < 3) this.#lose();
    else if (kind < 12) this.#snapshot();
    else if (kind < 20) this.#keep();
    else if (kind < 28) this.#goBack();
    else if (kind < 100) this.#fail();
    else if (kind < 400) this.#resize();
    else if (this.live.size < blocks ? kind < 900 : kind < 450) this.#allocate();
    else this.#free();
  }

  #place = () => 0x1000 + 16 * this.#random.below(kPlaces);
  #size = () => this.#random.below(2000);
  #event = (kind: number, detail = 0, a = 0, b = 0, c = 0) =>
    this.trace.appendEvent(headOf(kind as EventKind, 1, detail), a, b, c);

  /** Most often of a live block. */
  #address(): number {
    const known = [...this.live.keys()];
    return (this.#random.below(10) > 0 ? known[this.#random.below(known.length || 1)] : undefined) ?? this.#place();
  }

  #anySite(): number {
    const named = kFunctions[this.#random.below(kFunctions.length + 1)];
    return named === undefined ? 0 : this.site(named);
  }

  /** Its site; 0: it has none. */
  #call(op: Op, address: number, request: number, got: number, site = this.#anySite()): number {
    const isFailed = got === 0 && op !== Op.deallocate;
    if (site !== 0) this.#event(EventKind.siteEntered, 0, site);
    this.#event(EventKind.opBegun, op, address, request, 8);
    this.#event(
      EventKind.opEnded,
      op,
      got,
      got === 0 ? 0 : request + kSpare,
      isFailed ? Status.outOfMemory : Status.ok,
    );
    return site;
  }

  #row(call: number, address: number, bytes: number, site: number, event = this.trace.count): void {
    const block = call === CallKind.fail ? 0 : (this.#numbers.get(address) ?? 0);
    const live = [...this.live.values()];
    const live_bytes = live.reduce((sum, { request }) => sum + request, 0);
    this.rows.push({ call, event, block, address, bytes, site, live_bytes, live_blocks: live.length });
  }

  #change(site: number, what: Partial<typeof kNoChange>): void {
    this.changes.push({ event: this.trace.count, site, ...kNoChange, ...what });
  }

  #enter(address: number, block: DrawnBlock): void {
    this.live.set(address, block);
    this.#numbers.set(address, ++this.#blocks);
  }

  #allocate(): void {
    const at = this.#place();
    const request = this.#size();
    const site = this.#call(Op.allocate, 0, request, at);
    this.#enter(at, { request, site, born: this.trace.count, found: false });
    this.#row(CallKind.allocate, at, request, site);
    this.#change(site, { born: 1, allocated: request });
  }

  #free(): void {
    const at = this.#address();
    const site = this.#call(Op.deallocate, at, 0, 0);
    const block = this.live.get(at);
    this.live.delete(at);
    if (block === undefined) {
      this.totals.unknown_frees += 1;
      return;
    }
    this.#row(CallKind.free, at, block.request, site);
    this.#change(block.site, { ended: 1, freed: block.request });
  }

  #resize(): void {
    const from = this.#address();
    const to = this.#random.below(2) === 0 ? from : this.#place();
    const request = this.#size();
    const site = this.#call(Op.reallocate, from, request, to);
    this.totals.reallocations += 1;
    const block = this.live.get(from);
    if (block === undefined) {
      this.#enter(to, { request, site: 0, born: this.trace.count, found: true });
      this.#row(CallKind.found, to, request, 0);
      return;
    }
    if (from !== to) {
      this.totals.moved_reallocations += 1;
      this.totals.moved_bytes += Math.min(block.request, request);
    }
    this.live.delete(from);
    this.live.set(to, { ...block, request });
    this.#numbers.set(to, this.#numbers.get(from) ?? 0);
    this.#row(CallKind.resize, to, request, site);
    this.#change(block.site, { resized: request - block.request });
  }

  #fail(at = this.#anySite()): void {
    const request = this.#size();
    const op = this.#random.below(2) === 0 ? Op.allocate : Op.reallocate;
    const site = this.#call(op, this.#address(), request, 0, at);
    this.totals.failed_calls += 1;
    this.#row(CallKind.fail, 0, request, site);
  }

  #lose(): void {
    this.#event(EventKind.eventsLost, 0, 5);
    this.#isLost = true;
  }

  /** A proof; behind a loss it says which blocks there are, of which a tenth are not known. */
  #snapshot(): void {
    const there = new Map([...this.live].filter(() => this.#random.below(10) > 0));
    for (let more = there.size / 10; more > 0; --more)
      there.set(this.#place(), { request: this.#size(), site: 0, born: 0, found: true });
    this.#event(EventKind.snapshotBegun);
    if (this.#isLost) this.live.clear();
    for (const [at, { request }] of there) {
      this.#event(kWalkEvent + WalkKind.chunkInUse, 0, at - kWord, request + kWord);
      if (!this.#isLost) continue;
      const event = this.trace.count + 1; // the next record says that the chunk holds no blocks of a pool
      this.#enter(at, { request, site: 0, born: event, found: true });
      this.#row(CallKind.found, at, request, 0, event);
    }
    this.#event(EventKind.snapshotEnded);
    this.#isLost = false;
  }

  #keep(): void {
    const number = this.trace.count + 1;
    this.#event(EventKind.stateKept, 0, number);
    if (!this.#isLost) this.#kept = { number, live: new Map(this.live) };
  }

  #goBack(): void {
    const kept = this.#kept;
    this.#event(EventKind.stateReset, 0, kept?.number ?? 1);
    this.#isLost = kept === undefined;
    if (kept === undefined) return;
    const before = this.live;
    this.live = new Map([...before].filter(([at, block]) => kept.live.get(at) === block));
    for (const [at, block] of kept.live) {
      if (before.get(at) === block) continue;
      this.#enter(at, block);
      this.#row(CallKind.found, at, block.request, 0);
    }
    this.live = new Map(kept.live); // in its order
  }
}
