// A PyTorch memory snapshot (torch.cuda.memory._dump_snapshot): the segments of the device and the blocks in them, as a
// trace that builds that state. Its history (device_traces) is left out, and said to be.
//
//   Device addresses have 64 bits, a trace 32: segments lie one behind the other from 64 KiB on, in the order of their
//   addresses. Where they are more than 4 GiB together all sizes are divided by 2 ... 32 (PyTorch's unit is 512 bytes).
//
//   segment   | block | block | ... |        a block in use is a chunk in use, any other one a free chunk of bin 0

import { formatBytes, formatCount } from '../base/format.ts';
import { failure, type Result, success } from '../base/result.ts';
import { EventKind, Op } from '../protocol/event_layout.ts';
import { headOf, Trace } from '../trace/trace.ts';
import { type Pickled, unpickle } from './unpickle.ts';

const kHeap = 1;
const kWord = 8; // no header is shown: a chunk is its block, from its first byte on
const kFirstBase = 0x10000;
const kMostUnit = 32;
const kLeastChunk = 16;

interface Segment {
  readonly address: bigint;
  readonly size: number;
  readonly blocks: readonly { readonly size: number; readonly requested: number; readonly inUse: boolean }[];
}

export function readPyTorchSnapshot(
  bytes: Uint8Array,
): Result<{ readonly trace: Trace; readonly notice: string | undefined }, string> {
  const pickled = unpickle(bytes);
  if (!pickled.ok) return failure(`this is no PyTorch memory snapshot: ${pickled.error}`);
  const segments = segmentsOf(pickled.value, bytes.length);
  if (typeof segments === 'string') return failure(`this is no PyTorch memory snapshot: ${segments}`);
  const total = segments.reduce((sum, { size }) => sum + size + 65_536, kFirstBase);
  let unit = 1;
  while (total / unit >= 2 ** 32) unit *= 2;
  if (unit > kMostUnit) return failure(`the snapshot has ${formatBytes(total)}; a trace can show 128 GiB`);
  const notices = unit === 1 ? [] : [`all sizes are divided by ${unit}, for ${formatBytes(total)} to fit`];
  const history = pickled.value instanceof Map ? pickled.value.get('device_traces') : undefined;
  // Counted, not joined: a pickle may name one list many times.
  const steps = Array.isArray(history)
    ? history.reduce((sum, each) => sum + (Array.isArray(each) ? each.length : 1), 0)
    : 0;
  if (steps > 0) notices.push(`the ${formatCount(steps)} steps of its history are left out`);
  const trace = traceOf(segments, unit);
  if (typeof trace === 'string') return failure(trace);
  return success({ trace, notice: notices.length === 0 ? undefined : notices.join('; ') });
}

/** A sentence when they are not there. */
function segmentsOf(snapshot: Pickled, most: number): Segment[] | string {
  const list = snapshot instanceof Map ? snapshot.get('segments') : snapshot; // older ones are the list alone
  if (!Array.isArray(list)) return 'it has no segments';
  const segments: Segment[] = [];
  let count = 0;
  for (const [nth, item] of list.entries()) {
    if (!(item instanceof Map)) return `segment ${nth} is no dictionary`;
    const size = numberOf(item.get('total_size'));
    const address = item.get('address');
    const blocks = item.get('blocks');
    const known = typeof address === 'number' || typeof address === 'bigint';
    if (size === undefined || !known || !Array.isArray(blocks))
      return `segment ${nth} lacks address, total_size or blocks`;
    const parts: Segment['blocks'][number][] = [];
    let sum = 0;
    count += blocks.length;
    if (count > most) return 'it names the same blocks in many segments';
    for (const block of blocks) {
      const bytes = block instanceof Map ? numberOf(block.get('size')) : undefined;
      if (bytes === undefined || !(block instanceof Map)) return `a block of segment ${nth} has no size`;
      const requested = numberOf(block.get('requested_size')) ?? bytes;
      parts.push({ size: bytes, requested, inUse: block.get('state') === 'active_allocated' });
      sum += bytes;
    }
    if (sum !== size) return `the blocks of segment ${nth} have ${sum} bytes together, not ${size}`;
    segments.push({ address: BigInt(address as number | bigint), size, blocks: parts });
  }
  return segments.sort((one, other) => (one.address < other.address ? -1 : Number(one.address > other.address)));
}

function numberOf(value: Pickled | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A sentence when a size cannot be shown. */
function traceOf(segments: readonly Segment[], unit: number): Trace | string {
  const trace = new Trace();
  const write = (kind: EventKind, detail: number, a: number, b: number, c: number) =>
    trace.appendEvent(headOf(kind, kHeap, detail), a, b, c);
  let base = kFirstBase;
  write(EventKind.heapCreated, kWord, base, 2 * kWord, 0);
  let firstFree = 0;
  for (const { size, blocks } of segments) {
    const scaled = blocks.map((block) => ({
      ...block,
      size: block.size / unit,
      requested: Math.ceil(block.requested / unit),
    }));
    const odd = scaled.find((block) => block.size < kLeastChunk || block.size % 8 !== 0);
    if (odd !== undefined) return `a block of ${odd.size * unit} bytes cannot be shown`;
    write(EventKind.segmentAdded, 0, base, size / unit + kWord, base);
    let at = base;
    let rest = size / unit;
    for (const block of scaled) {
      if (block.inUse) write(EventKind.opBegun, Op.allocate, 0, block.requested, 0);
      if (block.size < rest) write(EventKind.chunkSplit, 0, at, block.size, rest - block.size);
      if (block.inUse) {
        write(EventKind.chunkTaken, 0, at, block.size, block.requested);
        write(EventKind.opEnded, Op.allocate, at + kWord, block.size, 0);
      } else {
        write(EventKind.binInserted, 0, at, block.size, firstFree);
        firstFree = at;
      }
      at += block.size;
      rest -= block.size;
    }
    base = Math.ceil((at + kWord) / 65_536) * 65_536;
  }
  return trace;
}
