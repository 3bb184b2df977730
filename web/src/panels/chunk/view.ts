// The selected chunk, and the operation that the moment lies in.
//
//   chunk.1  While it plays an explanation stays until there is another: it is to be read. One of events that do not lie behind
//            the moment shown goes.

import type { Addr } from '../../base/brand.ts';
import { createDisposal } from '../../base/disposal.ts';
import { blockNames } from '../../map/pool_names.ts';
import { partOf, want } from '../../protocol/parts.ts';
import { kLists } from '../lists/part.ts';
import type { Panel, Shown } from '../panel.ts';
import { createExplain } from './explain.ts';
import { createInspector } from './inspector.ts';
import { type ExplainFrame, kExplain, kInspect } from './part.ts';

const kNode = 16;

export const panel: Panel = {
  id: 'chunk',
  title: 'Chunk',
  beside: true,
  always: ({ selected }, readable) => ({
    ...want(kInspect, selected),
    ...(readable ? want(kExplain, true) : {}),
  }),
  create(parent, { reveal, actions: { seek } }) {
    const owned = createDisposal();
    const select = (address: Addr) => reveal(address, kNode);
    const inspector = owned.own(createInspector(parent, { select, seek }));
    const explain = owned.own(createExplain(parent, { seek }));
    return {
      show(shown) {
        const { frame, parts } = shown;
        inspector.update(partOf(parts, kInspect), blockNames(partOf(parts, kLists)?.pools ?? []));
        explain.update(explained(shown), frame.status.seq, shown.moving);
      },
      dispose: owned.dispose,
    };
  },
};

/** chunk.1 */
function explained({ parts, frame }: Shown): ExplainFrame | undefined {
  const explain = partOf(parts, kExplain);
  const begin = explain?.lines[0]?.seq;
  return begin !== undefined && begin <= frame.status.seq ? explain : undefined;
}
