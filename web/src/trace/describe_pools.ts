// Sentences about pools, their blocks and nodes, and the batches of nodes that threads fetch and store.

import { formatAddress, formatBytes, formatCount } from '../base/format.ts';
import { Shape } from '../protocol/event_layout.ts';
import type { Event } from './decode.ts';
import { type Describe, plural, type Sentence, sentence, strong } from './sentence.ts';

/** "pool 4 is ..." */
const kShapeTexts: Readonly<Record<Shape, string>> = {
  [Shape.segregated]: 'segregated',
  [Shape.adaptive]: 'adaptive',
  [Shape.alignedOnly]: 'aligned only',
  [Shape.sizeClass]: 'a size class of the small front',
  [Shape.fixedBlock]: 'of fixed blocks, handed out by their manager',
  [Shape.lockFree]: 'lock-free, handed out by its owner',
  [Shape.fixedSize]: 'the fixed-size path of a memory pool',
};

export const kPoolSentences = {
  poolCreated: ({ detail, b, c }) =>
    sentence(`pool ${detail} is made for nodes of `, strong(formatBytes(b)), `, ${formatCount(c)} a block`),
  poolShaped: ({ detail, a, b, c }) => {
    const shape = kShapeTexts[(c & 0xff) as Shape] ?? 'of an unknown shape';
    const cut = b === 0 ? '' : `: blocks of ${plural(b, 'sub-block')}, ${formatBytes(a)} each`;
    return sentence(`pool ${detail} is ${shape}${cut}`);
  },
  poolRuled: ({ detail, a, c }) =>
    sentence(`a block of pool ${detail} has `, strong(formatBytes(c)), `, its nodes begin at byte ${a}`),
  poolDestroyed: ({ detail }) => sentence(`pool ${detail} ends`),
  blockMade: ({ detail, a, b }) =>
    sentence(`pool ${detail} gets a block at ${formatAddress(a)}, `, strong(formatBytes(b))),
  blockRetired: ({ detail, a, b }) =>
    sentence(`pool ${detail} gives the block at ${formatAddress(a)} back, `, strong(formatBytes(b))),
  blockInserted: ({ detail, a, c }) =>
    sentence(
      `the block at ${formatAddress(a)} enters the tree of pool ${detail} with `,
      strong(plural(c, 'free node')),
    ),
  blockRemoved: ({ detail, a, c }) =>
    sentence(
      `the block at ${formatAddress(a)} leaves the tree of pool ${detail} with `,
      strong(plural(c, 'free node')),
    ),
  blockMoved: ({ detail, a, c }) => {
    const place = c === 0 ? 'comes first' : `now follows the one at ${formatAddress(c)}`;
    return sentence(`the block at ${formatAddress(a)} ${place} in the tree of pool ${detail}`);
  },
  nodeTaken: (event) => describeNode(event, 'is in use'),
  nodeReturned: (event) => describeNode(event, 'is free'),
  batchFetched: ({ detail, a, b, c }) =>
    sentence(
      `thread ${c} fetches `,
      strong(plural(b, 'node')),
      ` of pool ${detail} from the central list, the first at ${formatAddress(a)}`,
    ),
  batchStored: ({ detail, a, b, c }) =>
    sentence(
      `thread ${c} stores `,
      strong(plural(b, 'node')),
      ` of pool ${detail} in the central list, the first at ${formatAddress(a)}`,
    ),
} satisfies Record<string, Describe>;

function describeNode({ detail, a, b, c }: Event, what: string): Sentence {
  const node = `the node at ${formatAddress(a)} of pool ${detail} ${what}`;
  return b === 0 ? sentence(node) : sentence(`${node}; its block has `, strong(plural(c, 'free node')), ' left');
}
