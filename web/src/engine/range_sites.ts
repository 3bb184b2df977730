// What a stretch of time allocated, freed and kept, by the program's own functions (rules of base/frames.ts).
//
//   range.R1  allocated: blocks made in the stretch, as asked for, and what blocks of the function grew by. freed: its blocks that were
//             freed there, whenever they were made, and what it shrank by. kept: of the blocks made there, those in use at its end; nodes are of these.
//   range.R2  All events up to the end of the stretch are read, in slices, because a freed block's function is that of its birth. A newer
//             question ends an older one.

import { type Bytes, bytes, seq } from '../base/brand.ts';
import { siteNodesOf, sumNodes } from '../model/queries/site_nodes.ts';
import { ownFrameAt } from '../model/time/own_frames.ts';
import { siteTreeOf } from '../model/time/site_tree.ts';
import type { RangeSitesFrame } from '../protocol/whole_trace.ts';
import type { CalledBlock } from '../report/kept_blocks.ts';
import { type CallSink, ProgramCalls } from '../report/program_calls.ts';
import type { Session } from './session.ts';

const kSliceEvents = 262_144;
const kMostRows = 40;

/** What is read of a session. */
type Read = Pick<Session, 'model' | 'head' | 'wordSize'>;

interface Range {
  readonly from: number;
  readonly to: number;
  readonly libraries: boolean; // their frames are in the tree of calls
}

interface Block {
  readonly site: number;
  readonly born: number; // event
  request: number;
}

export class RangeSites {
  #asked = 0;

  async of(session: Read, { from, to, libraries }: Range, pause: () => Promise<void>): Promise<RangeSitesFrame> {
    const asked = ++this.#asked;
    const end = Math.min(to, session.head);
    const sums = new RangeSums(from);
    const calls = new ProgramCalls(session.model.trace, session.wordSize, sums);
    for (let read = 0; read < end; ) {
      read = Math.min(read + kSliceEvents, end);
      calls.readTo(read);
      await pause();
      if (asked !== this.#asked) throw new Error('another question was asked meanwhile');
    }
    return frameOf(session, { from: Math.min(from, end), to: end, libraries }, sums);
  }
}

/** Of the calls behind `from`. */
class RangeSums implements CallSink {
  readonly bySite = new Map<
    number,
    { allocated: number; freed: number; kept: number; blocks: number; oldest: number }
  >();
  readonly #from: number;
  readonly #blocks = new Map<number, Block>();
  #site = 0;

  constructor(from: number) {
    this.#from = from;
  }

  /** R1: with what lives now. */
  finish(): void {
    for (const { site, born, request } of this.#blocks.values()) {
      if (born <= this.#from) continue;
      const sum = this.#of(site);
      sum.kept += request;
      sum.blocks += 1;
      sum.oldest = Math.min(sum.oldest, born);
    }
  }

  entered(site: number): void {
    this.#site = site;
  }

  allocated(address: number, request: number, _usable: number, event: number): void {
    this.#blocks.set(address, { site: this.#site, born: event, request });
    if (event > this.#from) this.#of(this.#site).allocated += request;
  }

  has(address: number): boolean {
    return this.#blocks.has(address);
  }

  freed(address: number, event: number): void {
    const block = this.#blocks.get(address);
    if (block === undefined) return;
    this.#blocks.delete(address);
    if (event > this.#from) this.#of(block.site).freed += block.request;
  }

  resized(from: number, to: number, request: number, _usable: number, event: number): void {
    const block = this.#blocks.get(from);
    if (block === undefined) {
      this.found(to, request);
      return;
    }
    this.#blocks.delete(from);
    this.#blocks.set(to, block);
    const more = request - block.request;
    block.request = request;
    if (event > this.#from) this.#of(block.site)[more > 0 ? 'allocated' : 'freed'] += Math.abs(more);
  }

  failed(): void {}

  lost(): void {}

  forgotten(): void {
    this.#blocks.clear();
  }

  /** Of no call that is known, and not made in the stretch. */
  found(address: number, request: number): void {
    this.#blocks.set(address, { site: 0, born: 0, request });
  }

  ended(address: number): void {
    this.#blocks.delete(address);
  }

  revived({ address, request, born, site, found }: CalledBlock): void {
    this.#blocks.set(address, { site, born: found ? 0 : born, request });
  }

  #of(site: number) {
    const sum = this.bySite.get(site) ?? {
      allocated: 0,
      freed: 0,
      kept: 0,
      blocks: 0,
      oldest: Number.POSITIVE_INFINITY,
    };
    this.bySite.set(site, sum);
    return sum;
  }
}

function frameOf({ model }: Read, { from, to, libraries }: Range, sums: RangeSums): RangeSitesFrame {
  const { sites } = model.history;
  sums.finish();
  const byFrame = new Map<string, { frame: string; allocated: number; freed: number; kept: number }>();
  const all = { allocated: 0, freed: 0, kept: 0 };
  for (const [site, { allocated, freed, kept }] of sums.bySite) {
    const frame = ownFrameAt(sites, site);
    const row = byFrame.get(frame) ?? { frame, allocated: 0, freed: 0, kept: 0 };
    byFrame.set(frame, row);
    for (const sum of [row, all]) {
      sum.allocated += allocated;
      sum.freed += freed;
      sum.kept += kept;
    }
  }
  const rows = [...byFrame.values()]
    .sort((one, two) => two.kept - one.kept || two.allocated - one.allocated)
    .slice(0, kMostRows);
  const inBytes = <Row extends { allocated: number; freed: number; kept: number }>(row: Row) => ({
    ...row,
    allocated: bytes(row.allocated),
    freed: bytes(row.freed),
    kept: bytes(row.kept) as Bytes,
  });
  const tree = siteTreeOf(sites, libraries);
  const kept = [...sums.bySite].filter(([, { blocks }]) => blocks > 0);
  const bySite = new Map(kept.map(([site, { kept: size, ...sum }]) => [site, { ...sum, bytes: size }]));
  const nodes = sites.areEntered ? siteNodesOf(tree, sumNodes(tree, bySite)) : [];
  return { from: seq(from), to: seq(to), known: sites.areEntered, ...inBytes(all), rows: rows.map(inBytes), nodes };
}
