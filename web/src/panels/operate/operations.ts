// Driving the heap by hand. Each group of fields is one kind of call; what it gave, or why it failed, is said in words
// below, newest first, with the addresses as links into the map.
//
//   call_groups.ts, thread_groups.ts ── act() ──▶ controls.ts ──▶ operate ──▶ log
//
// The panel remembers only what it must to undo what it did: the blocks of the last burst and the nodes it took.

import './operations.css';
import type { Addr } from '../../base/brand.ts';
import { make, setText } from '../../dom/dom.ts';
import type { Operation, OperationResult } from '../../protocol/messages.ts';
import {
  createBurstGroup,
  createPoolGroup,
  createSelectedGroup,
  makeBlockGroup,
  makeCommandGroup,
  makeHeapGroup,
} from './call_groups.ts';
import { createControls, createLog } from './controls.ts';
import type { OperationsState } from './operable.ts';
import { createThreadGroups } from './thread_groups.ts';

export interface OperationsCallbacks {
  operate(operation: Operation): Promise<OperationResult>;
  /** Show this address in the map. */
  select(address: Addr): void;
}

const kNothing: OperationsState = {
  possible: false,
  selectedMem: undefined,
  selectedNode: undefined,
  pool: undefined,
  selectedSmall: undefined,
};

export function createOperations(parent: Element, { operate, select }: OperationsCallbacks) {
  let state = kNothing;
  const now = () => state;
  const log = createLog(select);
  const where = make('p', { class: 'hg-note' });
  const controls = createControls({
    operate,
    log: log.say,
    possible: () => state.possible,
    changed() {
      selected.refresh();
      const text = 'Calls act on the heap as it is now, at the newest event.';
      setText(where, state.possible ? text : 'There is no live heap to call.');
    },
  });
  const selected = createSelectedGroup(controls, now, select);
  const burst = createBurstGroup(controls);
  const pool = createPoolGroup(controls, now);
  const byThread = createThreadGroups(controls, now);
  const element = make(
    'section',
    { class: 'hg-operations', 'aria-label': 'Operate' },
    make(
      'div',
      { class: 'hg-operations__calls' },
      where,
      makeBlockGroup(controls),
      selected.element,
      makeCommandGroup(controls, now, select),
      burst.element,
      pool.element,
      ...byThread.groups,
      makeHeapGroup(controls),
    ),
    make(
      'div',
      { class: 'hg-operations__log' },
      make('h2', { class: 'hg-heading' }, 'What came back'),
      log.element,
      log.none,
    ),
  );
  parent.append(element);
  controls.refresh();

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
      if (!same) controls.refresh();
    },
    /** Another heap: what was taken from the last one is not there any more. */
    forget(): void {
      for (const group of [burst, pool, byThread]) group.forget();
      log.forget();
      controls.refresh();
    },
    dispose(): void {
      element.remove();
    },
  };
}
