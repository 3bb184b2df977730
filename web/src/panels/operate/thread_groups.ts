// Groups whose calls are made as a thread: small blocks of size classes, and malloc with its cache lists.

import { type Addr, bytes } from '../../base/brand.ts';
import { labelled, make, numberField, numberOf } from '../../dom/dom.ts';
import type { OperationResult } from '../../protocol/messages.ts';
import type { Controls } from './controls.ts';
import type { OperationsState } from './operable.ts';

/** HG_SMALL_MAX; what is larger is a chunk. */
const kSmallMost = 57_344;
const kMallocMost = 0x7fff_ffff;
/** Enough to see caches side by side. */
const kMostThreads = 16;

export function createThreadGroups(controls: Controls, state: () => OperationsState) {
  const small = smallGroup(controls, state);
  const malloc = mallocGroup(controls, state);
  return {
    groups: [small.element, malloc.element],
    /** Another heap: what was taken from the last one is not there any more. */
    forget(): void {
      small.forget();
      malloc.forget();
    },
  };
}

/** Blocks taken here, oldest first. */
function takenBlocks() {
  let mems: readonly Addr[] = [];
  return {
    add: ({ mems: got }: OperationResult) => {
      mems = [...mems, ...got];
    },
    remove: (mem: Addr) => {
      mems = mems.filter((kept) => kept !== mem);
    },
    newest: () => mems.at(-1),
    forget: () => {
      mems = [];
    },
  };
}

function smallGroup({ act, group, row }: Controls, state: () => OperationsState) {
  const taken = takenBlocks();
  const thread = numberField(1, 1, kMostThreads);
  const size = numberField(128, 1, kSmallMost);
  const count = numberField(10, 1, 4096);
  const givable = () => state().selectedSmall ?? taken.newest();
  const element = group(
    'Small blocks',
    row(labelled('as thread', thread), labelled('size', size), labelled('blocks', count)),
    row(
      act(
        'Take blocks',
        () => ({
          op: 'smallAllocate',
          thread: numberOf(thread),
          size: bytes(numberOf(size)),
          count: numberOf(count),
        }),
        () => true,
        taken.add,
      ),
      act(
        'Give one back',
        () => {
          const mem = givable();
          if (mem === undefined) return undefined;
          taken.remove(mem);
          return { op: 'smallDeallocate', thread: numberOf(thread), mem };
        },
        () => givable() !== undefined,
      ),
    ),
    row(
      act('Flush its cache', () => ({ op: 'smallFlush', thread: numberOf(thread) })),
      act('Squeeze', () => ({ op: 'smallSqueeze' })),
    ),
    make('p', { class: 'hg-note' }, 'Lists and caches are shown under Heaps. A block may go back as another thread.'),
  );
  return { element, forget: taken.forget };
}

function mallocGroup({ act, group, row }: Controls, state: () => OperationsState) {
  const taken = takenBlocks();
  const thread = numberField(0, 0, kMostThreads);
  thread.title = '0: one cache for all, as in a program without threads';
  const size = numberField(100, 0, kMallocMost);
  const count = numberField(10, 1, 4096);
  const who = () => numberOf(thread) || undefined;
  let moving: Addr | undefined;
  const freeable = () => state().selectedMem ?? taken.newest();
  const element = group(
    'malloc',
    row(labelled('by thread', thread), labelled('size', size), labelled('blocks', count)),
    row(
      act(
        'malloc',
        () => ({ op: 'mallocAllocate', thread: who(), size: bytes(numberOf(size)), count: numberOf(count) }),
        () => true,
        taken.add,
      ),
      act(
        'free',
        () => {
          const mem = freeable();
          if (mem === undefined) return undefined;
          taken.remove(mem);
          return { op: 'mallocFree', thread: who(), mem };
        },
        () => freeable() !== undefined,
      ),
      act(
        'realloc',
        () => {
          const mem = freeable();
          moving = mem;
          return mem && { op: 'mallocReallocate', thread: who(), mem, size: bytes(numberOf(size)) };
        },
        () => freeable() !== undefined,
        (result) => {
          if (!result.ok || moving === undefined) return; // the old block stays
          taken.remove(moving);
          taken.add(result);
        },
      ),
    ),
    row(
      act('Flush the cache', () => ({ op: 'mallocFlush', thread: who() })),
      act('Give pages back', () => ({ op: 'mallocTrim' })),
    ),
    make(
      'p',
      { class: 'hg-note' },
      'Acts on the selected block, else on the newest one taken here. Freed chunks go to the cache lists, shown under Heaps.',
    ),
  );
  return { element, forget: taken.forget };
}
