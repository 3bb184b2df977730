// Bytes in use by call site, against a naive twin: each block's stack asked for by itself.

import { expect, it } from 'vitest';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../../web/src/model/state/chunk_table.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { layFlame, nameOf } from '../../../../web/src/panels/sites/flame_layout.ts';
import type { SiteNode } from '../../../../web/src/panels/sites/part.ts';
import { querySites } from '../../../../web/src/panels/sites/query.ts';
import { Drive } from '../../model/drive.ts';
import { withSites } from '../../model/sited_trace.ts';

const drive = await Drive.start(31);
drive.run(2_000, 80);
drive.module.drain();
/** Each third call says nothing. */
const stackOf = (operation: number) =>
  operation % 3 === 0 ? [] : ['main@app.c:3', `work_${operation % 5}@app.c:9`, `leaf_${operation % 2}`];
const trace = withSites(drive.trace, stackOf);
const history = new History(trace);
history.fold();

it('a node holds what was made at its stack and below, at any moment', () => {
  for (const share of [0.2, 0.7, 1]) {
    const travel = new TimeTravel(history);
    travel.seek(Math.floor(trace.count * share));
    const { state } = travel;
    const wanted = new Map<string, number>();
    for (const segment of state.segments) {
      forEachChunk(state, segment, (_, granule) => {
        if (((state.chunks[granule] ?? 0) & kInUse) === 0) return;
        const stack = history.sites.stack(history.sites.ofEvent(state.born[granule] ?? 0, history.operations));
        for (let depth = stack.length; depth > 0; depth--) {
          const path = stack.slice(-depth).reverse().join('/');
          wanted.set(path, (wanted.get(path) ?? 0) + state.sizeOf(granule));
        }
        if (stack.length === 0) wanted.set('', (wanted.get('') ?? 0) + state.sizeOf(granule));
      });
    }
    const { known, nodes } = querySites(history, state);
    expect(known).toBe(true);
    const bySite = new Map(nodes.map((node) => [node.site, node]));
    const pathOf = (node: SiteNode): string => {
      const parent = bySite.get(node.parent);
      return node.site === 0 || node.parent === 0 || parent === undefined
        ? node.frame
        : `${pathOf(parent)}/${node.frame}`;
    };
    expect(new Map(nodes.map((node) => [pathOf(node), node.bytes]))).toEqual(wanted);
  }
});

it('a trace without call sites says so', () => {
  const plain = new History(drive.trace);
  plain.fold();
  expect(querySites(plain, plain.head)).toEqual({ known: false, nodes: [] });
});

it('a flame graph fills its width from parent to child, widest first, and a root chosen fills it alone', () => {
  const { nodes } = querySites(history, history.head);
  const boxes = layFlame(nodes, 0, 0);
  for (const { node, left, width, row } of boxes) {
    const parent = boxes.find((box) => box.node.site === node.parent && node.site !== 0 && node.parent !== 0);
    expect(left).toBeGreaterThanOrEqual((parent?.left ?? 0) - 1e-9);
    expect(left + width).toBeLessThanOrEqual((parent === undefined ? 1 : parent.left + parent.width) + 1e-9);
    expect(row).toBe(parent === undefined ? 0 : parent.row + 1);
  }
  const chosen = boxes.find(({ row }) => row === 1)?.node;
  if (chosen === undefined) throw new Error('no second row');
  expect(layFlame(nodes, chosen.site, 0)[0]).toMatchObject({ left: 0, width: 1, row: 0 });
  expect(nameOf(chosen)).toMatch(/^work_\d$/);
});
