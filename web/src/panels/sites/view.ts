// The blocks in use by the call that made them, and blocks that were freed almost at once.

import { createDisposal } from '../../base/disposal.ts';
import { partOf, want } from '../../protocol/parts.ts';
import type { Panel } from '../panel.ts';
import { kSites } from './part.ts';
import { createSites } from './sites.ts';
import { createTemporaries } from './temporaries.ts';

const kId = 'sites';

export const panel: Panel = {
  id: kId,
  title: 'Sites',
  wide: true,
  answers: ['holds', 'leaked'],
  wants: () => want(kSites, true),
  tables: ({ parts }) => [
    {
      name: 'Call sites',
      columns: ['site', 'parent', 'frame', 'bytes', 'blocks', 'own_bytes', 'own_blocks'],
      rows: (partOf(parts, kSites)?.nodes ?? []).map((node) => [
        node.site,
        node.parent,
        node.frame,
        node.bytes,
        node.count,
        node.ownBytes,
        node.ownCount,
      ]),
    },
  ],
  create(parent, { session }) {
    const owned = createDisposal();
    const view = owned.own(createSites(parent));
    const temporaries = owned.own(createTemporaries(parent, { count: session.temporaries }));
    return {
      show({ parts, frame, state, moving }) {
        view.update(partOf(parts, kSites));
        if (state.tab === kId && !moving) temporaries.update(state.source, frame.status.head);
      },
      dispose: owned.dispose,
    };
  },
};
