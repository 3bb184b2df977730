// Frames built by hand for the tests of drawing and of the map's views.

import { addr, bytes } from '../../../web/src/base/brand.ts';
import { ChunkState, EmptyKind, type EmptyRuns, type MapFrame } from '../../../web/src/protocol/map_frames.ts';

export interface ChunkGiven {
  readonly at: number;
  readonly size: number;
  readonly state?: number;
  readonly age?: number;
}

export interface NodeGiven {
  readonly at: number;
  readonly size: number;
  readonly state: number;
}

export interface BlockGiven {
  readonly at: number;
  readonly size: number;
  readonly pool: number;
  readonly freeNodes: number;
  readonly nodes: number;
}

export interface FrameGiven {
  readonly chunks: readonly ChunkGiven[] | undefined;
  readonly nodes?: readonly NodeGiven[];
  readonly blocks?: readonly BlockGiven[];
  readonly base?: number;
  readonly size?: number;
  readonly memory?: number;
  readonly cells?: MapFrame['cells'];
  readonly bytesPerRow?: number;
  readonly rows?: number;
  readonly empty?: readonly EmptyGiven[];
}

export interface EmptyGiven {
  readonly at: number;
  readonly size: number;
  readonly kind?: EmptyKind;
}

export const emptyRuns = (runs: readonly EmptyGiven[]): EmptyRuns => ({
  count: runs.length,
  address: Uint32Array.from(runs, (run) => run.at),
  size: Uint32Array.from(runs, (run) => run.size),
  kind: Uint8Array.from(runs, (run) => run.kind ?? EmptyKind.free),
});

export function frameOf(given: FrameGiven): MapFrame {
  const { chunks, nodes = [], blocks = [], base = 0x1000, size = 0x1000 } = given;
  return {
    viewport: { origin: addr(0), bytesPerRow: bytes(given.bytesPerRow ?? 256), rows: given.rows ?? 16, columns: 256 },
    memoryBytes: bytes(given.memory ?? 0x10000),
    wordSize: 4,
    segments: [{ base: addr(base), size: bytes(size), heap: 1, firstChunk: addr(base), tail: addr(base + size - 4) }],
    empty: emptyRuns(given.empty ?? []),
    chunks:
      chunks === undefined
        ? undefined
        : {
            count: chunks.length,
            address: Uint32Array.from(chunks, (chunk) => chunk.at),
            size: Uint32Array.from(chunks, (chunk) => chunk.size),
            state: Uint8Array.from(chunks, (chunk) => chunk.state ?? ChunkState.inUse),
            age: Uint8Array.from(chunks, (chunk) => chunk.age ?? 0),
            heap: new Uint8Array(chunks.length).fill(1),
          },
    cells: given.cells,
    blocks: {
      count: blocks.length,
      address: Uint32Array.from(blocks, (block) => block.at),
      size: Uint32Array.from(blocks, (block) => block.size),
      pool: Uint16Array.from(blocks, (block) => block.pool),
      freeNodes: Uint32Array.from(blocks, (block) => block.freeNodes),
      nodes: Uint32Array.from(blocks, (block) => block.nodes),
      subBlockBytes: new Uint32Array(blocks.length),
    },
    nodes: {
      count: nodes.length,
      address: Uint32Array.from(nodes, (node) => node.at),
      size: Uint32Array.from(nodes, (node) => node.size),
      state: Uint8Array.from(nodes, (node) => node.state),
      subBlocks: new Uint32Array(0),
    },
  };
}

/** Numbers that look random and are the same each time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
