// The blocks in use by the call that made them, leaks, blocks that were freed almost at once, and what a stretch of time did.

import { seq } from '../../base/brand.ts';
import { createDisposal } from '../../base/disposal.ts';
import type { Question } from '../../protocol/answers.ts';
import { partOf, want } from '../../protocol/parts.ts';
import type { Panel } from '../panel.ts';
import { kSites } from './part.ts';
import { createSites } from './sites.ts';

const kId = 'sites';

export const panel: Panel = {
  id: kId,
  title: 'Sites',
  full: true,
  answers: ['holds', 'leaked'],
  wants: ({ heap, libraries }) => want(kSites, { heap, libraries }),
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
  create(parent, { session, store, ask }) {
    const owned = createDisposal();
    const view = owned.own(
      createSites(parent, {
        press: (site) => ask({ ask: 'holds', site }),
        through: (site) => ask({ ask: 'holds', site, through: true }),
        libraries: (libraries) => store.set({ libraries }),
        leaked: (at, heap) => session.answer({ ask: 'leaked' }, seq(at), heap),
        temporaries: session.temporaries,
        range: ({ from, to }, libraries) => session.rangeSites(seq(from), seq(to), libraries),
      }),
    );
    return {
      show({ parts, frame: { status }, state, moving }) {
        const { source, heap, range, libraries, asking } = state;
        view.update(partOf(parts, kSites), {
          libraries,
          isLinked: status.freeLists,
          moment: {
            source,
            head: status.head,
            at: status.seq,
            heap,
            range,
            libraries,
            question: asking?.question.ask,
          },
          rests: state.tab === kId && !moving,
          asked: siteOf(asking?.question),
        });
      },
      dispose: owned.dispose,
    };
  },
};

const siteOf = (question: Question | undefined): string | undefined =>
  question?.ask === 'holds' && question.through !== true ? question.site : undefined;
