// Driving the heap by hand. Each group of fields is one kind of call; what it gave, or why it failed, is said in words
// below, newest first, with the addresses as links into the map.
//
// The panel remembers only what it must to undo what it did: the blocks of the last burst and the nodes it took.

import './operations.css';
import { type Addr, bytes } from '../../base/brand.ts';
import { formatAddress } from '../../base/format.ts';
import { labelled, make, numberField, numberOf, setText } from '../../dom/dom.ts';
import { CommandFlag, Shape } from '../../protocol/event_layout.ts';
import type { Operation, OperationResult } from '../../protocol/messages.ts';
import { outcomeText } from './outcome_text.ts';
import { createThreadGroups } from './thread_groups.ts';

export interface OperationsCallbacks {
  operate(operation: Operation): Promise<OperationResult>;
  /** Show this address in the map. */
  select(address: Addr): void;
}

export interface OperationsState {
  /** There is a live heap to operate on. */
  readonly possible: boolean;
  /** mem of the selected chunk in use that is no pool's block. */
  readonly selectedMem: Addr | undefined;
  /** The selected node of a pool, in use. */
  readonly selectedNode: { readonly pool: number; readonly mem: Addr } | undefined;
  /** The chosen pool, when it hands out nodes by calls: a size class or a manager belongs to its owner. */
  readonly pool: number | undefined;
  /** mem of the selected block of a size class, in use. */
  readonly selectedSmall: Addr | undefined;
}

const kMostBytes = 0x7fff_ffff;
const kMostLines = 8;

const kFlags: readonly (readonly [string, number])[] = [
  ['expand_fwd', CommandFlag.expandFwd],
  ['expand_bwd', CommandFlag.expandBwd],
  ['allocate_new', CommandFlag.allocateNew],
  ['shrink_in_place', CommandFlag.shrinkInPlace],
  ['try_shrink_in_place', CommandFlag.tryShrinkInPlace],
];

export function createOperations(parent: Element, callbacks: OperationsCallbacks) {
  let state: OperationsState = {
    possible: false,
    selectedMem: undefined,
    selectedNode: undefined,
    pool: undefined,
    selectedSmall: undefined,
  };
  let burst: readonly Addr[] = [];
  let nodes: { readonly pool: number; readonly mem: Addr }[] = [];
  /** Buttons with the condition under which they can be pressed. */
  const buttons: { readonly button: HTMLButtonElement; readonly can: () => boolean }[] = [];

  const results = make('ol', { class: 'hg-operations__results', 'aria-live': 'polite', 'aria-label': 'Results' });

  async function perform(operation: Operation): Promise<OperationResult | undefined> {
    try {
      const result = await callbacks.operate(operation);
      say(outcomeText(operation, result), result.ok, result.mems[0]);
      return result;
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), false, undefined);
      return undefined;
    } finally {
      refresh();
    }
  }

  /** A line in the log; `mem` is what it is about, a link into the map. */
  function say(text: string, ok: boolean, mem: Addr | undefined): void {
    const line = make('li', { class: `hg-operations__result${ok ? '' : ' hg-operations__result--failed'}` }, text);
    if (mem !== undefined) {
      const link = make('button', { type: 'button', class: 'hg-link' }, formatAddress(mem));
      link.addEventListener('click', () => callbacks.select(mem));
      line.append(' ', link);
    }
    results.prepend(line);
    while (results.childElementCount > kMostLines) results.lastElementChild?.remove();
  }

  /** A button; pressing it performs what `operation` gives, and `then` sees what came back. */
  function act(
    name: string,
    operation: () => Operation | undefined,
    can: () => boolean = () => true,
    then: (result: OperationResult) => void = () => {},
  ): HTMLButtonElement {
    const button = make('button', { type: 'button', class: 'hg-button' }, name);
    button.addEventListener('click', async () => {
      const wanted = operation();
      if (wanted === undefined) return;
      const result = await perform(wanted);
      if (result === undefined) return;
      then(result);
      refresh();
    });
    buttons.push({ button, can });
    return button;
  }

  const group = (name: string, ...rows: readonly HTMLElement[]) =>
    make('fieldset', { class: 'hg-operations__group' }, make('legend', { class: 'hg-heading' }, name), ...rows);
  const row = (...children: readonly HTMLElement[]) => make('div', { class: 'hg-operations__row' }, ...children);

  // One block.
  const size = numberField(64, 0, kMostBytes);
  const alignment = numberField(64, 1, 1 << 20);
  const one = group(
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

  // The selected block.
  const selectedText = make('p', { class: 'hg-note' });
  const newSize = numberField(256, 0, kMostBytes);
  const hasBlock = () => state.selectedMem !== undefined;
  const selectedGroup = group(
    'Selected block',
    selectedText,
    row(
      labelled('new size', newSize),
      act(
        'Reallocate',
        () => state.selectedMem && { op: 'reallocate', mem: state.selectedMem, size: bytes(numberOf(newSize)) },
        hasBlock,
        (result) => {
          const moved = result.mems[0];
          if (moved !== undefined) callbacks.select(moved);
        },
      ),
      act('Free', () => state.selectedMem && { op: 'deallocate', mem: state.selectedMem }, hasBlock),
    ),
  );

  // The expansion command.
  const flagBoxes = kFlags.map(([name, flag]) => {
    const box = make('input', { type: 'checkbox', checked: flag === CommandFlag.expandFwd });
    box.addEventListener('change', refresh);
    return { flag, box, label: make('label', { class: 'hg-check' }, box, make('code', {}, name)) };
  });
  const flags = () => flagBoxes.reduce((bits, { flag, box }) => (box.checked ? bits | flag : bits), 0);
  const objectSize = numberField(8, 0, 1 << 20);
  const limit = numberField(16, 0, kMostBytes);
  const preferred = numberField(32, 0, kMostBytes);
  const command = group(
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
          reuse: state.selectedMem,
        }),
        () => true,
        (result) => {
          const got = result.mems[0];
          if (result.ok && got !== undefined) callbacks.select(got);
        },
      ),
    ),
    make('p', { class: 'hg-note' }, 'Counts are in objects. Expanding and shrinking act on the selected block.'),
  );

  // Bursts.
  const burstCount = numberField(100, 1, 100_000);
  const burstSize = numberField(24, 0, 1 << 20);
  const contiguous = numberField(0, 0, 100_000);
  contiguous.title = 'How many neighbours a run may have; 0: runs of up to 4,096 bytes';
  const burstGroup = group(
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

  // Pools.
  const shape = make('select', { class: 'hg-input' });
  for (const [value, name] of [
    [Shape.adaptive, 'adaptive'],
    [Shape.alignedOnly, 'aligned only'],
    [Shape.segregated, 'segregated'],
  ] as const)
    shape.append(make('option', { value }, name));
  const nodeSize = numberField(24, 1, 1 << 16);
  const nodesPerBlock = numberField(64, 0, 1 << 16);
  const maxFree = numberField(2, 0, 0xffff);
  const nodeCount = numberField(10, 1, 4096);
  const hasPool = () => state.pool !== undefined;
  const returnable = () => state.selectedNode ?? nodes.at(-1);
  const poolGroup = group(
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
      act('Trim', () => (state.pool === undefined ? undefined : { op: 'poolTrim', pool: state.pool }), hasPool),
      act(
        'Destroy',
        () => (state.pool === undefined ? undefined : { op: 'poolDestroy', pool: state.pool }),
        hasPool,
        () => {
          nodes = nodes.filter((node) => node.pool !== state.pool);
        },
      ),
    ),
    row(
      labelled('nodes', nodeCount),
      act(
        'Take',
        () =>
          state.pool === undefined ? undefined : { op: 'poolAllocate', pool: state.pool, count: numberOf(nodeCount) },
        hasPool,
        (result) => {
          const pool = state.pool;
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

  const byThread = createThreadGroups({ act, group, row }, () => state);

  const pad = numberField(0, 0, kMostBytes);
  const heapGroup = group(
    'Heap',
    row(
      labelled('keep', pad),
      act('Trim the end', () => ({ op: 'trim', pad: bytes(numberOf(pad)) })),
    ),
  );

  const where = make('p', { class: 'hg-note' });
  const element = make(
    'section',
    { class: 'hg-operations', 'aria-label': 'Operate' },
    make(
      'div',
      { class: 'hg-operations__calls' },
      where,
      one,
      selectedGroup,
      command,
      burstGroup,
      poolGroup,
      ...byThread.groups,
      heapGroup,
    ),
    make('div', { class: 'hg-operations__log' }, make('h2', { class: 'hg-heading' }, 'What came back'), results),
  );
  parent.append(element);
  refresh();

  function refresh(): void {
    for (const { button, can } of buttons) button.disabled = !state.possible || !can();
    setText(
      where,
      state.possible ? 'Calls act on the heap as it is now, at the newest event.' : 'There is no live heap to call.',
    );
    setText(
      selectedText,
      state.selectedMem === undefined ? 'Choose a block in use in the map.' : `at ${formatAddress(state.selectedMem)}`,
    );
  }

  return {
    element,
    update(next: OperationsState): void {
      const same =
        next.possible === state.possible &&
        next.selectedMem === state.selectedMem &&
        next.selectedNode?.mem === state.selectedNode?.mem &&
        next.selectedSmall === state.selectedSmall &&
        next.pool === state.pool;
      state = next;
      if (!same) refresh();
    },
    /** Another heap: what was taken from the last one is not there any more. */
    forget(): void {
      burst = [];
      nodes = [];
      byThread.forget();
      results.replaceChildren();
      refresh();
    },
    dispose(): void {
      element.remove();
    },
  };
}
