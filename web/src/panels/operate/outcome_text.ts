// One call and what it gave, as a sentence. Failures say the reason in the allocator's own words.

import { assertUnreachable } from '../../base/assert.ts';
import { formatAddress, formatBytes, formatCount } from '../../base/format.ts';
import type { Operation, OperationResult } from '../../protocol/messages.ts';

export function outcomeText(operation: Operation, result: OperationResult): string {
  if (!result.ok) {
    const hint =
      operation.op === 'command' && result.received > 0
        ? ` A limit of ${formatCount(result.received)} could be met now.`
        : '';
    return `${nameOf(operation)} failed: ${result.statusText}.${hint}`;
  }
  switch (operation.op) {
    case 'allocate':
    case 'allocateAligned':
      return `${nameOf(operation)}: ${formatBytes(result.received)} usable at`;
    case 'reallocate':
      if (result.mems.length === 0) return 'Freed: the new size was 0.';
      return `${nameOf(operation)}: ${result.mems[0] === operation.mem ? 'in place' : 'moved'}, ${formatBytes(result.received)} usable at`;
    case 'command':
      return `${nameOf(operation)}: ${formatCount(result.received)} objects, ${commandWay(operation.reuse, result)}, at`;
    case 'deallocate':
      return `Freed ${formatAddress(operation.mem)}.`;
    case 'burstNodes':
      return `A burst of ${countOf(result.received)}, the first at`;
    case 'burstDeallocate':
      return `Freed the burst of ${countOf(operation.mems.length)}.`;
    case 'poolCreate':
      return `Pool #${result.pool ?? '?'} made.`;
    case 'poolAllocate':
      return `${countOf(result.received, 'node')} of pool #${operation.pool}, the first at`;
    case 'poolDeallocate':
      return `Node ${formatAddress(operation.mem)} went back to pool #${operation.pool}.`;
    case 'poolTrim':
      return `Pool #${operation.pool} gave ${countOf(result.received)} back.`;
    case 'poolDestroy':
      return `Pool #${operation.pool} is gone.`;
    case 'smallAllocate':
      return `Thread ${operation.thread} took ${countOf(result.mems.length)}, ${formatBytes(result.received)} usable, the first at`;
    case 'smallDeallocate':
      return `Thread ${operation.thread} gave ${formatAddress(operation.mem)} back.`;
    case 'smallFlush':
      return `Thread ${operation.thread}'s cache went to the central lists.`;
    case 'smallSqueeze':
      return result.received === 0
        ? 'No span was wholly free; nothing was given back.'
        : `${formatBytes(result.received)} of wholly free spans went back to the heap.`;
    case 'mallocAllocate':
      return `${whoOf(operation.thread)}malloc gave ${countOf(result.mems.length)}, ${formatBytes(result.received)} usable, the first at`;
    case 'mallocFree':
      return `${whoOf(operation.thread)}free of ${formatAddress(operation.mem)}: it is cached, or free.`;
    case 'mallocReallocate':
      if (result.mems.length === 0) return 'Freed: the new size was 0.';
      return `${nameOf(operation)}: ${result.reused ? 'in place' : 'moved'}, ${formatBytes(result.received)} usable at`;
    case 'mallocFlush':
      return result.received === 0
        ? 'No chunk was cached.'
        : `${formatBytes(result.received)} of cached chunks went back to the heap.`;
    case 'mallocTrim':
    case 'trim':
      return `${formatBytes(result.received)} went back to the platform.`;
    case 'write':
      return `Wrote a word at ${formatAddress(operation.at)}.`;
    default:
      return assertUnreachable(operation);
  }
}

const whoOf = (thread: number | undefined): string => (thread === undefined ? '' : `Thread ${thread}: `);

const countOf = (count: number, what = 'block'): string => `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;

function commandWay(reuse: number | undefined, result: OperationResult): string {
  if (!result.reused) return 'new memory';
  const mem = result.mems[0];
  return mem !== undefined && reuse !== undefined && mem < reuse ? 'expanded backward' : 'in place';
}

function nameOf(operation: Operation): string {
  switch (operation.op) {
    case 'allocate':
      return `Allocate ${formatBytes(operation.size)}`;
    case 'allocateAligned':
      return `Allocate ${formatBytes(operation.size)} aligned to ${formatBytes(operation.alignment)}`;
    case 'deallocate':
      return 'Free';
    case 'reallocate':
      return `Reallocate to ${formatBytes(operation.size)}`;
    case 'command':
      return 'Command';
    case 'burstNodes':
      return `Burst of ${formatCount(operation.count)} × ${formatBytes(operation.size)}`;
    case 'burstDeallocate':
      return 'Freeing the burst';
    case 'poolCreate':
      return 'Pool';
    case 'poolAllocate':
      return `Taking ${countOf(operation.count, 'node')}`;
    case 'poolDeallocate':
      return 'Returning the node';
    case 'poolTrim':
      return 'Trimming the pool';
    case 'poolDestroy':
      return 'Destroying the pool';
    case 'smallAllocate':
      return `Thread ${operation.thread} taking ${formatBytes(operation.size)}`;
    case 'smallDeallocate':
      return 'Giving the block back';
    case 'smallFlush':
      return 'Flush';
    case 'smallSqueeze':
      return 'Squeeze';
    case 'mallocAllocate':
      return `${whoOf(operation.thread)}malloc of ${formatBytes(operation.size)}`;
    case 'mallocFree':
      return `${whoOf(operation.thread)}free`;
    case 'mallocReallocate':
      return `${whoOf(operation.thread)}realloc to ${formatBytes(operation.size)}`;
    case 'mallocFlush':
      return 'Flush';
    case 'mallocTrim':
    case 'trim':
      return 'Trim';
    case 'write':
      return `Writing at ${formatAddress(operation.at)}`;
    default:
      return assertUnreachable(operation);
  }
}
