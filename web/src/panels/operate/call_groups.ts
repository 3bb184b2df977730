// The groups of fields of calls by hand, one for each kind of call. Each makes its calls and remembers what of them it must undo;
// what is selected comes from outside, and what can be pressed follows from that.

import { type Addr, bytes } from '../../base/brand.ts';
import { formatAddress } from '../../base/format.ts';
import { labelled, make, numberField, numberOf, setText } from '../../dom/dom.ts';
import { CommandFlag, Shape } from '../../protocol/event_layout.ts';
import type { Operation } from '../../protocol/messages.ts';
import type { Controls } from './controls.ts';
import type { OperationsState } from './operable.ts';

const kMostBytes = 0x7fff_ffff;

type State = () => OperationsState;

const kFlags: readonly (readonly [string, number])[] = [
  ['expand_fwd', CommandFlag.expandFwd],
  ['expand_bwd', CommandFlag.expandBwd],
  ['allocate_new', CommandFlag.allocateNew],
  ['shrink_in_place', CommandFlag.shrinkInPlace],
  ['try_shrink_in_place', CommandFlag.tryShrinkInPlace],
];

export function makeBlockGroup({ act, group, row }: Controls): HTMLElement {
  const size = numberField(64, 0, kMostBytes);
  const alignment = numberField(64, 1, 1 << 20);
  return group(
    'One block',
    row(
      labelled('size', size),
      act('Allocate', () => ({ op: 'allocate', size: bytes(numberOf(size)) })),
    ),
    row(
      labelled('alignment', alignment),
      act('Aligned', () => ({
        op: 'allocateAligned',
        alignment: bytes(numberOf(alignment)),
        size: bytes(numberOf(size)),
      })),
    ),
  );
}

export function createSelectedGroup({ act, group, row }: Controls, state: State, select: (mem: Addr) => void) {
  const selectedText = make('p', { class: 'hg-note' });
  const newSize = numberField(256, 0, kMostBytes);
  const hasBlock = () => state().selectedMem !== undefined;
  const element = group(
    'Selected block',
    selectedText,
    row(
      labelled('new size', newSize),
      act(
        'Reallocate',
        () => {
          const { selectedMem: mem } = state();
          return mem && { op: 'reallocate', mem, size: bytes(numberOf(newSize)) };
        },
        hasBlock,
        (result) => {
          const moved = result.mems[0];
          if (moved !== undefined) select(moved);
        },
      ),
      act(
        'Free',
        () => {
          const { selectedMem: mem } = state();
          return mem && { op: 'deallocate', mem };
        },
        hasBlock,
      ),
    ),
  );
  return {
    element,
    refresh(): void {
      const { selectedMem: mem } = state();
      setText(selectedText, mem === undefined ? 'Choose a block in use in the map.' : `at ${formatAddress(mem)}`);
    },
  };
}

/** The expansion command. */
export function makeCommandGroup(
  { act, group, row, refresh }: Controls,
  state: State,
  select: (mem: Addr) => void,
): HTMLElement {
  const flagBoxes = kFlags.map(([name, flag]) => {
    const box = make('input', { type: 'checkbox', checked: flag === CommandFlag.expandFwd });
    box.addEventListener('change', refresh);
    return { flag, box, label: make('label', { class: 'hg-check' }, box, make('code', {}, name)) };
  });
  const flags = () => flagBoxes.reduce((bits, { flag, box }) => (box.checked ? bits | flag : bits), 0);
  const objectSize = numberField(8, 0, 1 << 20);
  const limit = numberField(16, 0, kMostBytes);
  const preferred = numberField(32, 0, kMostBytes);
  return group(
    'Command',
    make('div', { class: 'hg-operations__flags' }, ...flagBoxes.map(({ label }) => label)),
    row(labelled('object size', objectSize), labelled('limit', limit), labelled('preferred', preferred)),
    row(
      act(
        'Run the command',
        () => ({
          op: 'command',
          flags: flags() | CommandFlag.nothrowAllocation,
          objectSize: bytes(numberOf(objectSize)),
          limit: numberOf(limit),
          preferred: numberOf(preferred),
          reuse: state().selectedMem,
        }),
        () => true,
        (result) => {
          const got = result.mems[0];
          if (result.ok && got !== undefined) select(got);
        },
      ),
    ),
    make('p', { class: 'hg-note' }, 'Counts are in objects. Expanding and shrinking act on the selected block.'),
  );
}

export function createBurstGroup({ act, group, row }: Controls) {
  let burst: readonly Addr[] = [];
  const burstCount = numberField(100, 1, 100_000);
  const burstSize = numberField(24, 0, 1 << 20);
  const contiguous = numberField(0, 0, 100_000);
  contiguous.title = 'How many neighbours a run may have; 0: runs of up to 4,096 bytes';
  const element = group(
    'Burst',
    row(labelled('blocks', burstCount), labelled('size', burstSize), labelled('run', contiguous)),
    row(
      act(
        'Take a burst',
        () => ({
          op: 'burstNodes',
          count: numberOf(burstCount),
          size: bytes(numberOf(burstSize)),
          contiguous: numberOf(contiguous),
        }),
        () => true,
        (result) => {
          if (result.ok) burst = result.mems;
        },
      ),
      act(
        'Free it',
        () => ({ op: 'burstDeallocate', mems: burst }),
        () => burst.length > 0,
        () => {
          burst = [];
        },
      ),
    ),
  );
  return {
    element,
    /** Another heap: what was taken from the last one is not there any more. */
    forget(): void {
      burst = [];
    },
  };
}

export function createPoolGroup({ act, group, row }: Controls, state: State) {
  let nodes: { readonly pool: number; readonly mem: Addr }[] = [];
  const ofPool = (call: (pool: number) => Operation): Operation | undefined => {
    const { pool } = state();
    return pool === undefined ? undefined : call(pool);
  };
  const shape = makeShapes();
  const nodeSize = numberField(24, 1, 1 << 16);
  const nodesPerBlock = numberField(64, 0, 1 << 16);
  const maxFree = numberField(2, 0, 0xffff);
  const nodeCount = numberField(10, 1, 4096);
  const hasPool = () => state().pool !== undefined;
  const returnable = () => state().selectedNode ?? nodes.at(-1);
  const element = group(
    'Pool',
    row(labelled('shape', shape), labelled('node size', nodeSize)),
    row(labelled('nodes a block', nodesPerBlock), labelled('free blocks kept', maxFree)),
    row(
      act('Create', () => ({
        op: 'poolCreate',
        shape: Number(shape.value),
        nodeSize: bytes(numberOf(nodeSize)),
        nodesPerBlock: numberOf(nodesPerBlock),
        maxFreeBlocks: numberOf(maxFree),
        overheadPercent: 0,
      })),
      act('Trim', () => ofPool((pool) => ({ op: 'poolTrim', pool })), hasPool),
      act(
        'Destroy',
        () => ofPool((pool) => ({ op: 'poolDestroy', pool })),
        hasPool,
        () => {
          nodes = nodes.filter((node) => node.pool !== state().pool);
        },
      ),
    ),
    row(
      labelled('nodes', nodeCount),
      act(
        'Take',
        () => ofPool((pool) => ({ op: 'poolAllocate', pool, count: numberOf(nodeCount) })),
        hasPool,
        (result) => {
          const { pool } = state();
          if (pool !== undefined) nodes.push(...result.mems.map((mem) => ({ pool, mem })));
        },
      ),
      act(
        'Return one',
        () => {
          const node = returnable();
          if (node === undefined) return undefined;
          nodes = nodes.filter((kept) => kept.mem !== node.mem);
          return { op: 'poolDeallocate', pool: node.pool, mem: node.mem };
        },
        () => returnable() !== undefined,
      ),
    ),
  );
  return {
    element,
    /** As of bursts. */
    forget(): void {
      nodes = [];
    },
  };
}

function makeShapes(): HTMLSelectElement {
  const shape = make('select', { class: 'hg-input' });
  for (const [value, name] of [
    [Shape.adaptive, 'adaptive'],
    [Shape.alignedOnly, 'aligned only'],
    [Shape.segregated, 'segregated'],
  ] as const)
    shape.append(make('option', { value }, name));
  return shape;
}

export function makeHeapGroup({ act, group, row }: Controls): HTMLElement {
  const pad = numberField(0, 0, kMostBytes);
  return group(
    'Heap',
    row(
      labelled('keep', pad),
      act('Trim the end', () => ({ op: 'trim', pad: bytes(numberOf(pad)) })),
    ),
  );
}
