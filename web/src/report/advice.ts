// Where a pool or a reserve may pay, in bytes that can be checked: no more than what the sizes and the copies say. A replay tries
// it (web/src/replay/measured_advice.ts), which takes time and a clock; a report has neither.
//
//   pool      n blocks of one size lived at once, each a chunk with header and rounding. In a pool a node has no
//             header and is rounded to a word. Its blocks' headers and ends are at most kPoolShare of the nodes, and
//             at most kSpareNodes wait in a block that is not full. So few blocks save nothing, nor do large ones whose
//             chunks fit.
//   reserve   a block that grew by copies (grown_blocks.ts): its last size, asked for at once, would have copied
//             nothing.

import type { BlockFacts } from './block_facts.ts';
import { kMostAdvice } from './limits.ts';
import type { Advice, PoolAdvice } from './report_types.ts';
import type { SizeEntry } from './size_table.ts';

const kPoolShare = 1.04;
const kSpareNodes = 320; // an adaptive pool's block holds 256 to 311 nodes
const kLeastSaved = 1024;

export function adviceOf(facts: BlockFacts, wordSize: number): Advice {
  const pools = facts.sizes
    .top(({ allocations }) => allocations, Number.POSITIVE_INFINITY)
    .filter(({ request }) => request > 0)
    .map((entry) => poolFor(entry, wordSize))
    .filter(({ saved_bytes }) => saved_bytes >= kLeastSaved)
    .sort((x, y) => y.saved_bytes - x.saved_bytes)
    .slice(0, kMostAdvice);
  const { blocks, copied, best } = facts.grown.finish();
  return { pools, reserves: best, grown_blocks: blocks, grown_copied_bytes: copied };
}

function poolFor({ request, peakLive, peakChunkBytes }: SizeEntry, wordSize: number): PoolAdvice {
  const word = wordSize || 4; // of a foreign heap: no header is known, so nothing is saved
  const node = Math.max(word, Math.ceil(request / word) * word);
  return {
    request_bytes: request,
    peak_live_blocks: peakLive,
    chunk_bytes: Math.round(peakChunkBytes / peakLive),
    node_bytes: node,
    saved_bytes: Math.max(0, Math.floor(peakChunkBytes - (peakLive + kSpareNodes) * node * kPoolShare)),
  };
}
