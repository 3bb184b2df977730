// Blocks that were freed almost at once, over all events so far: counted by the report's own rule (report/block_facts.ts, X2), so
// that the page and `heapglass report` never differ.
//
//   short.1  The trace is read in slices, and other requests are answered between two of them.
//   short.2  What was read is kept: a trace that grows is read on from there. Another session or another `within` begins anew,
//            and a newer question ends an older one.

import { type Bytes, bytes, seq } from '../base/brand.ts';
import { ownFrames } from '../base/frames.ts';
import type { TemporariesFrame } from '../protocol/whole_trace.ts';
import { BlockFacts } from '../report/block_facts.ts';
import { ProgramCalls } from '../report/program_calls.ts';
import { type SummedSite, sumSites } from '../report/site_sums.ts';
import type { Session } from './session.ts';

const kSliceEvents = 262_144;
const kMostRows = 20;
const kMostCallers = 8; // frames of a row

interface Count {
  readonly session: Session;
  readonly within: number;
  readonly facts: BlockFacts;
  readonly calls: ProgramCalls;
  read: number; // events
}

export class Temporaries {
  #count: Count | undefined;
  #asked = 0;

  /** pre: 0 < within */
  async of(session: Session, within: number, pause: () => Promise<void>): Promise<TemporariesFrame> {
    const asked = ++this.#asked;
    const count = this.#countOf(session, within);
    while (count.read < session.head) {
      count.read = Math.min(count.read + kSliceEvents, session.head);
      count.calls.readTo(count.read);
      await pause();
      if (asked !== this.#asked) throw new Error('another question was asked meanwhile');
    }
    return frameOf(count);
  }

  /** short.2 */
  #countOf(session: Session, within: number): Count {
    const known = this.#count;
    if (known?.session === session && known.within === within) return known;
    const facts = new BlockFacts(within);
    const calls = new ProgramCalls(session.model.trace, session.wordSize, facts);
    this.#count = { session, within, facts, calls, read: 0 };
    return this.#count;
  }
}

function frameOf({ session, within, facts, read }: Count): TemporariesFrame {
  const { sites } = session.model.history;
  const { allocations: count, bytes: inBytes, share, by_size } = facts.temporaryFacts();
  const summed = sites.areEntered ? sumSites(facts.siteEntries(read), (site) => sites.stack(site)) : [];
  const bySite = byOwnFunction(summed)
    .sort((one, two) => two.count - one.count || two.bytes - one.bytes)
    .slice(0, kMostRows)
    .map((row) => ({ ...row, bytes: bytes(row.bytes) }));
  const bySize = by_size
    .filter(({ allocations }) => allocations > 0)
    .map(({ request_bytes, allocations }) => ({ size: request_bytes as Bytes, count: allocations }));
  return { within, seq: seq(read), count, bytes: bytes(inBytes), share, known: sites.areEntered, bySite, bySize };
}

interface FunctionRow {
  readonly frames: readonly string[]; // of the stack with most of them
  count: number;
  bytes: number;
}

function byOwnFunction(summed: readonly SummedSite[]): FunctionRow[] {
  const rows = new Map<string, FunctionRow & { most: number; frames: readonly string[] }>();
  for (const { stack, figures } of summed) {
    if (figures.temporaries === 0) continue;
    const frames = ownFrames(stack).slice(0, kMostCallers);
    const row = rows.get(frames[0] ?? '') ?? { frames, count: 0, bytes: 0, most: 0 };
    rows.set(frames[0] ?? '', row);
    row.count += figures.temporaries;
    row.bytes += figures.temporary_bytes;
    if (figures.temporaries > row.most) Object.assign(row, { most: figures.temporaries, frames });
  }
  return [...rows.values()].map(({ frames, count, bytes: size }) => ({ frames, count, bytes: size }));
}
