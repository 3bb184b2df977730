// Damaged and hostile traces, made from real ones (tests/web/trace/golden) by a seed.
//
//   file case     bytes are changed, cut, moved and mixed; in a part of the cases the checksums are made right again
//   stream case   events are changed, dropped, doubled, moved and made up, and the file around them is right: what the
//                 reader cannot find, the model must

import { createRandom, type Random } from '../../web/src/base/random.ts';
import { EventKind, kEventNames, kWalkEvent } from '../../web/src/protocol/event_layout.ts';
import { crc32OfWords } from '../../web/src/trace/crc32.ts';
import { headOf, kEventWords, Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile, encodeTraceFile } from '../../web/src/trace/trace_file.ts';

const kEdges = [0, 1, 2, 3, 4, 7, 8, 15, 16, 24, 63, 64, 4096, 65_535, 65_536, 2 ** 20, 2 ** 24, 2 ** 28, 2 ** 31 - 1];
const kMoreEdges = [2 ** 31, 2 ** 32 - 65_536, 2 ** 32 - 16, 2 ** 32 - 8, 2 ** 32 - 4, 2 ** 32 - 1];
const kKinds = [...kEventNames.keys(), ...Array.from({ length: 12 }, (_, i) => kWalkEvent + 1 + i)];

/** One of a list. */
const oneOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const edge = (random: Random): number => oneOf(random, [...kEdges, ...kMoreEdges]);

export function fileCase(seeds: readonly Uint8Array[], seed: number): Uint8Array {
  const random = createRandom(seed);
  let bytes = oneOf(random, seeds).slice();
  for (let n = 1 + random.below(4); n > 0; --n) {
    const at = random.below(bytes.length + 1);
    switch (random.below(7)) {
      case 0:
        bytes = bytes.slice(0, at);
        break;
      case 1: {
        const other = oneOf(random, seeds);
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...other.subarray(random.below(other.length))]);
        break;
      }
      case 2:
        bytes.copyWithin(at, random.below(bytes.length + 1));
        break;
      case 3:
        for (let i = random.below(40); i > 0; --i) bytes[at + i] = random.below(256);
        break;
      case 4:
        if (at + 4 <= bytes.length) new DataView(bytes.buffer).setUint32(at & ~3, edge(random), true);
        break;
      default:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
  }
  return random.below(2) === 0 ? bytes : withRightChecksums(bytes);
}

const kMarks = new Set([0x31676573, 0x7a676573, 0x31786469, 0x31646e65]);

/** The header's checksums, and those of all parts that begin where a mark stands. */
function withRightChecksums(bytes: Uint8Array): Uint8Array {
  const words = new Uint32Array(bytes.slice(0, bytes.length & ~3).buffer);
  if (words.length < 8) return bytes;
  const notesWords = Math.min(words[5] ?? 0, words.length - 8);
  words[6] = crc32OfWords(words.subarray(8, 8 + notesWords));
  words[7] = crc32OfWords(words.subarray(0, 7));
  for (let at = 0; at + 8 <= words.length; at += 4) {
    if (!kMarks.has(words[at] ?? 0)) continue;
    const count = words[at + 1] ?? 0;
    const packed = words[at + 3] ?? 0;
    if (words[at] === 0x31676573) words[at + 3] = crc32OfWords(words.subarray(at + 4, at + 4 + count * 4));
    if (words[at] === 0x31786469) words[at + 3] = crc32OfWords(words.subarray(at + 4, at + 4 + count * 4));
    if (words[at] === 0x31646e65) words[at + 3] = crc32OfWords(words.subarray(at, at + 3));
    if (words[at] === 0x7a676573) {
      const payload = Math.ceil(Math.max(packed, count / 4) / 16) * 4;
      words[at + 5] = crc32OfWords(words.subarray(at + 8, at + 8 + payload));
      words[at + 7] = crc32OfWords(words.subarray(at, at + 7));
    }
  }
  return new Uint8Array(words.buffer);
}

export function recordsOf(file: Uint8Array): Uint32Array {
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const { trace } = decoded.value;
  const records = new Uint32Array(trace.count * kEventWords);
  for (let event = 0; event < trace.count; ++event) {
    records.set([trace.head(event), trace.a(event), trace.b(event), trace.c(event)], event * kEventWords);
  }
  return records;
}

/** A file whose every checksum is right, around mutated events. */
export function streamCase(streams: readonly Uint32Array[], seed: number): Uint8Array {
  const random = createRandom(seed);
  const trace = new Trace();
  trace.append(random.below(6) === 0 ? madeUp(random) : mutated(oneOf(random, streams), random));
  return new Uint8Array(encodeTraceFile(trace, random.below(8) === 0 ? 8 : 4, {}, { plain: random.below(2) === 0 }));
}

function mutated(stream: Uint32Array, random: Random): Uint32Array {
  const events = stream.length / kEventWords;
  const lines: Uint32Array[] = [];
  const until = 1 + random.below(events);
  for (let i = 0; i < until; ++i) lines.push(stream.slice(i * kEventWords, (i + 1) * kEventWords));
  const someWord = () => stream[random.below(stream.length)] ?? 0;
  for (let n = 1 + random.below(5); n > 0; --n) {
    const at = random.below(lines.length);
    const line = lines[at] as Uint32Array;
    switch (random.below(8)) {
      case 0:
        lines.splice(at, 1 + random.below(3));
        if (lines.length === 0) lines.push(line);
        break;
      case 1:
        lines.splice(random.below(lines.length), 0, line.slice());
        break;
      case 2:
        lines.splice(at, 1, lines[random.below(lines.length)] as Uint32Array);
        break;
      case 3:
        line[0] = headOf(oneOf(random, kKinds) as EventKind, ((line[0] ?? 0) >>> 8) & 0xff, (line[0] ?? 0) >>> 16);
        break;
      case 4:
        line[0] = headOf(((line[0] ?? 0) & 0xff) as EventKind, random.below(4), random.below(2) * random.below(65_536));
        break;
      case 5:
        lines.splice(at, 0, Uint32Array.of(line[0] ?? 0, someWord(), edge(random), someWord()));
        break;
      default: {
        const word = 1 + random.below(3);
        const before = line[word] ?? 0;
        line[word] = oneOf(random, [edge(random), before + 16, before - 8, someWord(), random.next(), before * 2]);
      }
    }
  }
  return Uint32Array.from(lines.flatMap((line) => [...line]));
}

/** A heap with a segment somewhere, and events that nobody wrote. */
function madeUp(random: Random): Uint32Array {
  const base = oneOf(random, [0x10000, 2 ** 32 - 65_536, 2 ** 31, 16]);
  const size = oneOf(random, [65_536, 2 ** 20, 2 ** 32 - base, 128]);
  const first = base + 12;
  const words = [headOf(EventKind.heapCreated, 1, 4), base, 8, edge(random)];
  words.push(headOf(EventKind.segmentAdded, 1), base, size, first);
  const free = size - 16;
  if (random.below(2) === 0) {
    const bytes = oneOf(random, [8, 16, 24, 4096, 1 << 16, free]);
    words.push(headOf(EventKind.burstCarved, 1), first, bytes, Math.floor(free / bytes));
  } else {
    const chunk = oneOf(random, [free, 1 << 16, 4096]);
    if (chunk < free) words.push(headOf(EventKind.chunkSplit, 1), first, chunk, free - chunk);
    words.push(headOf(EventKind.chunkTaken, 1), first, chunk, chunk - 4);
    const node = oneOf(random, [4, 8, 12, edge(random)]);
    const count = Math.floor((chunk - 8) / Math.max(node, 4));
    words.push(headOf(EventKind.poolCreated, 1, 3), base, node, oneOf(random, [count, edge(random)]));
    words.push(
      headOf(EventKind.poolShaped, 1, 3),
      edge(random) * random.below(2),
      random.below(3),
      1 + random.below(7),
    );
    words.push(headOf(EventKind.poolRuled, 1, 3), 0, 0, oneOf(random, [chunk - 4, chunk - 8, edge(random)]));
    words.push(headOf(EventKind.blockMade, 1, 3), first + 4, chunk - 4, 0);
    words.push(headOf(EventKind.blockInserted, 1, 3), first + 4, 0, count);
    words.push(headOf(EventKind.nodeTaken, 1, 3), first + 4, 0, 0);
  }
  for (let n = random.below(6); n > 0; --n) {
    const head = headOf(oneOf(random, kKinds) as EventKind, 1, oneOf(random, [0, 1, 3, 6, edge(random) & 0xffff]));
    words.push(head, first + random.below(5) * 8, edge(random), edge(random));
  }
  words.push(headOf(EventKind.checkpoint, 1), 0, edge(random), 0);
  return Uint32Array.from(words);
}
