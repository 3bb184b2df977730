// Bytes in use by call site, against a naive twin: each block's stack asked for by itself.

import { expect, it } from 'vitest';
import { bytes } from '../../../../web/src/base/brand.ts';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { kInUse } from '../../../../web/src/model/state/chunk_table.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { layFlame, nameOf, sandwichOf } from '../../../../web/src/panels/sites/flame_layout.ts';
import { querySites } from '../../../../web/src/panels/sites/query.ts';
import type { SiteNode } from '../../../../web/src/protocol/site_nodes.ts';
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
const kAll = { heap: 0, libraries: true };

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
    const { known, nodes } = querySites(history, state, kAll);
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
  expect(querySites(plain, plain.head, kAll)).toEqual({ known: false, nodes: [], rows: [], functions: 0, bytes: 0 });
});

it('the main that a compiler writes around a main is not shown a second time, unless library frames are', () => {
  const around = withSites(drive.trace, () => ['main', '__original_main@app.c:40', 'leaf@app.c:9', 'malloc']);
  const wrapped = new History(around);
  wrapped.fold();
  const framesOf = (libraries: boolean) =>
    querySites(wrapped, wrapped.head, { heap: 0, libraries }).nodes.map(({ frame }) => frame);
  expect(framesOf(false)).toEqual(['__original_main@app.c:40', 'leaf@app.c:9']);
  expect(framesOf(true)).toEqual(['main', '__original_main@app.c:40', 'leaf@app.c:9', 'malloc']);
  expect(nameOf({ frame: '__original_main@app.c:40' })).toBe('main');
});

it('a flame graph fills its width from parent to child, widest first, and a root chosen fills it alone', () => {
  const { nodes } = querySites(history, history.head, kAll);
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

it('folded, the frames of libraries are gone, and no byte with them; rows are the functions that have blocks', () => {
  const library = ['main@app.c:3', 'std::sort(int*)', 'compare@app.c:5', 'std::vector<int>::push_back', 'malloc'];
  const stacks = [library, ['main@app.c:3', 'compare@app.c:5'], ['__cxa_thread_atexit', 'malloc']];
  const mixed = new History(withSites(drive.trace, (operation) => stacks[operation % 3] ?? []));
  mixed.fold();
  const folded = querySites(mixed, mixed.head, { heap: 0, libraries: false });
  const whole = querySites(mixed, mixed.head, { heap: 0, libraries: true });
  const rootBytes = ({ nodes }: typeof folded) =>
    nodes.filter(({ parent }) => parent === 0).reduce((sum, node) => sum + node.bytes, 0);
  expect(rootBytes(folded)).toBe(rootBytes(whole));
  expect(rootBytes(folded)).toBe(mixed.head.inUse);
  expect(folded.nodes.map(({ frame }) => frame).sort()).toEqual(['compare@app.c:5', 'main@app.c:3', 'malloc']);
  expect(folded.rows.map(({ frame }) => frame).sort()).toEqual(['compare@app.c:5', 'malloc']);
  expect(folded.rows.reduce((sum, row) => sum + row.bytes, 0)).toBe(rootBytes(whole));
  expect(whole.rows.map(({ frame }) => frame).sort()).toEqual(['compare@app.c:5', 'malloc']);
  expect(whole.nodes.length).toBeGreaterThan(folded.nodes.length);
});

it('a sandwich has every caller and callee of its function, and counts a recursive call once', () => {
  const node = (site: number, parent: number, frame: string, size: number, ownBytes = 0): SiteNode => ({
    ...{ site, parent, frame, count: 1, ownCount: 0, oldest: site },
    ...{ bytes: bytes(size), ownBytes: bytes(ownBytes) },
  });
  const nodes = [
    node(1, 0, 'main', 100),
    node(2, 1, 'walk', 60),
    node(3, 2, 'walk', 40),
    node(4, 3, 'leaf', 40, 40),
    node(5, 2, 'leaf', 20, 20),
    node(6, 1, 'other', 40),
    node(7, 6, 'walk', 40, 40),
  ];
  const { callers, callees } = sandwichOf(nodes, 'walk');
  const listed = (tree: readonly SiteNode[]) =>
    tree.map(({ frame, bytes: size, parent }) => `${tree[parent - 1]?.frame ?? ''}>${frame} ${size}`).sort();
  expect(listed(callers)).toEqual(['>walk 100', 'other>main 40', 'walk>main 60', 'walk>other 40']);
  expect(listed(callees)).toEqual(['>walk 100', 'walk>leaf 20', 'walk>leaf 40', 'walk>walk 40']);
});

it('the order is by bytes or by the oldest block', () => {
  const { nodes } = querySites(history, history.head, kAll);
  const second = (order: 'heavy' | 'old') => layFlame(nodes, 0, 0, order).filter(({ row }) => row === 1);
  const bytesOf = second('heavy').map(({ node }) => Number(node.bytes));
  const births = second('old').map(({ node }) => node.oldest);
  expect(bytesOf.length).toBeGreaterThan(2);
  expect(bytesOf).toEqual([...bytesOf].sort((one, two) => two - one));
  expect(births).toEqual([...births].sort((one, two) => one - two));
});
