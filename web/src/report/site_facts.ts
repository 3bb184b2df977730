// What is counted of the program's blocks by call site, while its calls are read.
//
//   site_facts.F1  A block belongs to the site that allocated it; a resize changes its bytes and not its site. For each site
//       live_bytes == allocated_bytes + resized_bytes - freed_bytes, while no event is lost and memory is not set back.
//   site_facts.F2  byte_events is the sum over blocks of bytes x events that they lived: the integral of live bytes over events.
//   site_facts.F3  peak_bytes is what the site's blocks had when the whole program was at its peak: the sum over the sites is
//       the peak. The peak moves with most allocations at first, so no site is copied then: a site whose bytes are to change
//       notes them before, if the peak moved since it was noted last.
//
//       peak   ──1──2──────3──────     #peaks counts
//       site       ^ changes  ^ changes: noted for peak 3, as bytes were the same since then

import { kMostSites } from './limits.ts';
import type { SiteFigures } from './report_types.ts';

type Figures = { -readonly [Key in keyof SiteFigures]: number };

/** Of one site; site 0: calls whose site is not known. */
export interface SiteEntry {
  readonly site: number;
  readonly figures: Figures;
  at: number; // event up to which byte_events is summed
  peak: number; // number of the peak for which peak_bytes is noted
}

export class SiteFacts {
  readonly #entries: SiteEntry[] = [];
  readonly #rows = new Map<number, number>();
  #peaks = 0;
  #last = 0; // newest event seen

  constructor() {
    this.rowOf(0);
  }

  /** The row of a site; made when it is new. */
  rowOf(site: number): number {
    const known = this.#rows.get(site);
    if (known !== undefined) return known;
    const row = this.#entries.length;
    if (row >= kMostSites) return 0;
    this.#entries.push({ site, figures: noFigures(), at: this.#last, peak: this.#peaks });
    this.#rows.set(site, row);
    return row;
  }

  /** born: by a call that allocates. */
  enter(row: number, request: number, event: number, born: boolean): void {
    const figures = this.#before(row, event);
    if (figures === undefined) return;
    if (born) {
      figures.allocations += 1;
      figures.allocated_bytes += request;
    }
    figures.live_blocks += 1;
    figures.live_bytes += request;
    if (figures.live_bytes > figures.most_live_bytes) figures.most_live_bytes = figures.live_bytes;
  }

  resize(row: number, old: number, request: number, event: number): void {
    const figures = this.#before(row, event);
    if (figures === undefined) return;
    figures.resized_bytes += request - old;
    figures.live_bytes += request - old;
    if (figures.live_bytes > figures.most_live_bytes) figures.most_live_bytes = figures.live_bytes;
  }

  free(row: number, request: number, event: number, temporary: boolean): void {
    const figures = this.#before(row, event);
    if (figures === undefined) return;
    figures.frees += 1;
    figures.freed_bytes += request;
    if (temporary) {
      figures.temporaries += 1;
      figures.temporary_bytes += request;
    }
    figures.live_blocks -= 1;
    figures.live_bytes -= request;
  }

  /** A block whose end is not in the trace. */
  drop(row: number, request: number): void {
    const figures = this.#before(row, this.#last);
    if (figures === undefined) return;
    figures.live_blocks -= 1;
    figures.live_bytes -= request;
  }

  /** What lives now is the most that ever did. */
  peaked(): void {
    this.#peaks += 1;
  }

  /** No block is live. */
  forget(): void {
    for (let row = 0; row < this.#entries.length; ++row) {
      const figures = this.#before(row, this.#last);
      if (figures === undefined) continue;
      figures.live_blocks = 0;
      figures.live_bytes = 0;
    }
  }

  /** A block born between two marks: it lives at the second one; later, it lives at the end. */
  between(row: number, request: number, atEnd: boolean): void {
    const figures = this.#entries[row]?.figures;
    if (figures === undefined) return;
    figures[atEnd ? 'between_left_blocks' : 'between_blocks'] += 1;
    figures[atEnd ? 'between_left_bytes' : 'between_bytes'] += request;
  }

  /** Every site that had a block, as after `event` events. */
  finish(event: number): readonly SiteEntry[] {
    for (let row = 0; row < this.#entries.length; ++row) this.#before(row, event);
    return this.#entries.filter(({ figures }) => figures.allocations > 0 || figures.most_live_bytes > 0);
  }

  #before(row: number, event: number): Figures | undefined {
    const entry = this.#entries[row];
    if (entry === undefined) return undefined;
    const { figures } = entry;
    figures.byte_events += figures.live_bytes * (event - entry.at);
    entry.at = event;
    this.#last = event;
    if (entry.peak !== this.#peaks) {
      figures.peak_blocks = figures.live_blocks;
      figures.peak_bytes = figures.live_bytes;
      entry.peak = this.#peaks;
    }
    return figures;
  }
}

export const noFigures = (): Figures => ({
  allocations: 0,
  allocated_bytes: 0,
  frees: 0,
  freed_bytes: 0,
  resized_bytes: 0,
  live_blocks: 0,
  live_bytes: 0,
  most_live_bytes: 0,
  peak_blocks: 0,
  peak_bytes: 0,
  byte_events: 0,
  temporaries: 0,
  temporary_bytes: 0,
  between_blocks: 0,
  between_bytes: 0,
  between_left_blocks: 0,
  between_left_bytes: 0,
});

/** Adds one's figures to another's. The most that lived do not add: that of a sum is not known. */
export function addFigures(to: Figures, figures: SiteFigures): void {
  for (const key of Object.keys(to) as (keyof Figures)[]) to[key] += figures[key];
}
