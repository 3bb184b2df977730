// Calls on the live heap, made by hand.

import { kByHand } from '../../moment/actions.ts';
import type { Panel } from '../panel.ts';
import { operable } from './operable.ts';
import { createOperations } from './operations.ts';

const kNode = 16;

export const panel: Panel = {
  id: 'operate',
  title: 'Operate',
  tall: true,
  place: 'make',
  runs: true,
  opensWith: ({ info }) => (info.id === kByHand ? {} : undefined),
  create(parent, { actions, reveal }) {
    const view = createOperations(parent, {
      operate: actions.operate,
      select: (address) => reveal(address, kNode),
    });
    return {
      show: ({ frame, parts, state }) => view.update(operable(frame.status, frame.map, parts, state.source)),
      forget: view.forget,
      dispose: view.dispose,
    };
  },
};
