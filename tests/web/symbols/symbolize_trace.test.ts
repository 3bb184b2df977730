// Names written into a trace, and where they come from when there is no DWARF.

import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { createSymbolizer, readModule, symbolizeTrace } from '../../../web/src/symbols/index.ts';
import { textBefore, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { sitesOf } from '../instrument/sites_of.ts';

const kEmpty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

function traceWith(sites: readonly (readonly [parent: number, frame: string])[], entered: readonly number[]): Trace {
  const trace = new Trace();
  sites.forEach(([parent, frame], at) => {
    trace.append(textRecords(frame));
    trace.appendEvent(headOf(EventKind.stringDefined, 0), at + 1, 0, 0);
    trace.appendEvent(headOf(EventKind.siteDefined, 0), at + 1, parent, at + 1);
  });
  trace.append(textRecords('half time'));
  trace.appendEvent(headOf(EventKind.mark, 1, 2), 0, 0, 0);
  for (const site of entered) trace.appendEvent(headOf(EventKind.siteEntered, 0), site, 0, 0);
  return trace;
}

test('inlined calls become sites, equal frames one site, and marks keep their names', () => {
  const raw = ['wasm-function[1]:0x10', 'wasm-function[2]:0x20', 'wasm-function[2]:0x28'] as const;
  const trace = traceWith(
    [
      [0, raw[0]],
      [1, raw[1]],
      [1, raw[2]],
    ],
    [2, 3, 1],
  );
  const frames = (index: number) => (index === 1 ? ['main@a.c:3'] : ['outer@a.c:7', 'inlined@b.h:9']);
  const { trace: named, sites, named: count } = symbolizeTrace(trace, { frames });
  expect([sites, count]).toEqual([3, 3]);
  const tree = sitesOf(named);
  expect(tree.entered.map((site) => tree.pathOf(site))).toEqual([
    ['main@a.c:3', 'outer@a.c:7', 'inlined@b.h:9'],
    ['main@a.c:3', 'outer@a.c:7', 'inlined@b.h:9'],
    ['main@a.c:3'],
  ]);
  expect(tree.count).toBe(3);
  const marks = Array.from({ length: named.count }, (_, event) => event).filter(
    (n) => named.kind(n) === EventKind.mark,
  );
  expect(marks.map((mark) => textBefore(named, mark))).toEqual(['half time']);
});

test('a trace can be symbolized twice', () => {
  const once = symbolizeTrace(traceWith([[0, 'wasm-function[1]']], [1]), { frames: () => ['main'] }).trace;
  const again = symbolizeTrace(once, { frames: () => ['wrong'] });
  expect(again.named).toBe(1); // the site that has a name, though not by this symbolizer
  expect(sitesOf(again.trace).pathOf(1)).toEqual(['main']);
});

test('without DWARF lines come from a source map', () => {
  const sourceMap = JSON.stringify({ version: 3, sources: ['src/a.ts'], names: [], mappings: 'AAIA,wCAGA' });
  const { frames } = createSymbolizer({ wasm: kEmpty, sourceMap });
  expect(frames(3, 10)).toEqual(['wasm-function[3]@src/a.ts:5']);
  expect(frames(3, 50)).toEqual(['wasm-function[3]@src/a.ts:8']);
  expect(frames(3, undefined)).toEqual(['wasm-function[3]']);
});

test('what is no module is refused in a sentence', () => {
  expect(() => readModule(new TextEncoder().encode('not a wasm file'))).toThrow('this is not a wasm file');
  expect(() => readModule(Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0))).toThrow('a wasm component, not a module');
  expect(() => readModule(Uint8Array.of(...kEmpty, 10, 200))).toThrow('ends within');
});
