// Handles that nobody has deleted, at the moment shown: class, line of JavaScript, bytes.

import { hexAddress } from '../../base/csv.ts';
import type { HandleFigures } from '../../protocol/handles.ts';
import { partOf, want } from '../../protocol/parts.ts';
import type { Panel, Table } from '../panel.ts';
import { createHandles } from './handles.ts';
import { kHandles } from './part.ts';

export const panel: Panel = {
  id: 'handles',
  title: 'Handles',
  wants: () => want(kHandles, true),
  tables: ({ parts }) => [tableOf(partOf(parts, kHandles))],
  create(parent, { reveal }) {
    const view = createHandles(parent, { reveal });
    return {
      show: ({ parts }) => view.update(partOf(parts, kHandles)),
      dispose: view.dispose,
    };
  },
};

const tableOf = (shown: HandleFigures | undefined): Table => ({
  name: 'Handles nobody has deleted',
  columns: ['class', 'function', 'file', 'line', 'handles', 'blocks', 'bytes', 'first_event', 'last_event', 'block'],
  rows: (shown?.groups ?? []).map((group) => [
    group.class,
    group.function,
    group.file,
    group.line,
    group.handles,
    group.blocks,
    group.size_bytes,
    group.first_event,
    group.last_event,
    hexAddress(group.addresses[0] ?? 0),
  ]),
});
