// Pools in the explanation of an operation: their blocks, their nodes, and what threads fetch and store.

import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import { EventKind, Op } from '../../protocol/event_layout.ts';
import type { Event } from '../../trace/decode.ts';
import { depthBehind, isOfBlock } from './explain_calls.ts';
import type { Explanation, Step } from './explanation.ts';

const kShort = 64; // events of an operation whose single nodes are named

export const kPoolSteps: Readonly<Partial<Record<EventKind, (to: Explanation, step: Step) => void>>> = {
  [EventKind.blockMade]: (to, { event: { detail, b }, events }) => {
    if (isSmall(events))
      to.say(` The central list of pool ${detail} had nothing left, so the class got a span of `, formatBytes(b), '.');
    else to.say(` The pool had no free node left and got a block of `, formatBytes(b), '.');
  },
  [EventKind.blockRetired]: (to, { event, events }) => {
    const { a, b } = event;
    const at = formatAddress(a);
    const isGone = depthBehind(events) === 0 || events.some((other) => isOfBlock(event, other));
    const goes = isGone ? 'went' : 'go';
    if (isSmall(events))
      to.say(` All nodes of the span at ${at} were in the central list: its `, formatBytes(b), ` ${goes} back.`);
    else
      to.say(
        ` The block at ${at} was wholly free and more than the pool keeps, so its `,
        formatBytes(b),
        ` ${goes} back to the heap.`,
      );
  },
  [EventKind.blockMoved]: (to) => to.say(' That changed the order of the blocks: the tree keeps the fullest first.'),
  [EventKind.nodeTaken]: (to, { event, events }) => {
    const { b, c } = event;
    if (events.length === 1) explainOwned(to, event, 'handed out');
    else if (events.length < kShort && b !== 0)
      to.say(
        ` The node comes from the fullest block that has one, at ${formatAddress(b)}; it has `,
        formatCount(c),
        ' free left.',
      );
  },
  [EventKind.nodeReturned]: (to, { event, events }) => {
    const { b, c } = event;
    if (events.length === 1) explainOwned(to, event, 'taken back');
    else if (events.length < kShort && b !== 0)
      to.say(` Its block at ${formatAddress(b)} now has `, formatCount(c), ' free nodes.');
  },
  [EventKind.batchFetched]: (to, { event: { detail, b, c } }) =>
    to.say(
      ` The cache of thread ${c} had no node of pool ${detail}; it fetched `,
      formatCount(b),
      ' from the central list.',
    ),
  [EventKind.batchStored]: (to, { event: { detail, b, c }, events }) => {
    if (events[0]?.detail === Op.smallFlush)
      to.say(` Of pool ${detail} it stored `, formatCount(b), b === 1 ? ' node.' : ' nodes.');
    else
      to.say(
        ` The cache of thread ${c} had enough of pool ${detail}: `,
        formatCount(b),
        ' nodes went to the central list.',
      );
  },
};

/** Whether the operation is one of the small front. */
const isSmall = ([first]: readonly Event[]): boolean =>
  first !== undefined && first.detail >= Op.smallAllocate && first.detail <= Op.smallFlush;

/** A node outside every call: the owner of the pool keeps the list of free nodes itself. */
function explainOwned(to: Explanation, { detail, a }: Event, what: string): void {
  to.say(`The owner of pool ${detail} has ${what} the node at `, formatAddress(a));
  to.say(': a step on its own list of free nodes, without a call of the heap.');
}
