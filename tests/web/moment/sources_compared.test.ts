// What the state remembers of a source, and which sources are the same.

import { expect, test } from 'vitest';
import { sameSource, sourceOf, stateAtStartOf } from '../../../web/src/moment/actions.ts';
import type { LoadedSource } from '../../../web/src/moment/session.ts';
import type { Source } from '../../../web/src/moment/state.ts';

const kLoaded: readonly (readonly [LoadedSource, Source])[] = [
  [
    { kind: 'scenario', id: 'burst_list', seed: 7 },
    { kind: 'scenario', id: 'burst_list', seed: 7 },
  ],
  [
    { kind: 'script', name: 'Script', packed: 'S0', steps: [] },
    { kind: 'script', name: 'Script', packed: 'S0' },
  ],
  [
    { kind: 'words', name: 'a.txt', text: new TextEncoder().encode('alloc 8') },
    { kind: 'words', name: 'a.txt' },
  ],
  [
    { kind: 'trace', name: 'a.hgtrace', file: new Blob() },
    { kind: 'trace', name: 'a.hgtrace' },
  ],
  [
    { kind: 'trace', name: 'a.hgtrace', address: 'traces/a.hgtrace', file: new Blob() },
    { kind: 'trace', name: 'a.hgtrace', address: 'traces/a.hgtrace' },
  ],
  [{ kind: 'live', name: 'app', id: 'x1' } as LoadedSource, { kind: 'live', name: 'app', id: 'x1' }],
];

test('a source is remembered without its text, its file and its recorder', () => {
  for (const [loaded, source] of kLoaded) expect(sourceOf(loaded)).toEqual(source);
});

test('a source is the same as itself alone', () => {
  const more: Source[] = [
    { kind: 'scenario', id: 'burst_list', seed: 8 },
    { kind: 'scenario', id: 'other', seed: 7 },
    { kind: 'scenario', id: 'burst_list', seed: 7, number: 1 },
    { kind: 'script', name: 'Script', packed: 'S1' },
    { kind: 'words', name: 'b.txt' },
    { kind: 'trace', name: 'b.hgtrace', address: 'traces/a.hgtrace' },
    { kind: 'trace', name: 'a.hgtrace', address: 'traces/b.hgtrace' },
    { kind: 'live', name: 'app', id: 'x2' },
  ];
  const all = [...kLoaded.map(([, source]) => source), ...more];
  for (const [nth, one] of all.entries())
    expect(all.map((other) => sameSource(one, structuredClone(other)))).toEqual(all.map((_, other) => other === nth));
});

test('what was recorded plays from its first event; what runs, a script and what is made by hand are shown as they are', () => {
  const playing = kLoaded.map(([loaded]) => stateAtStartOf(loaded)).map(({ playing, follow }) => [playing, follow]);
  const [plays, stands] = [
    [true, false],
    [false, true],
  ];
  expect(playing).toEqual([plays, stands, plays, plays, plays, stands]);
  expect(stateAtStartOf({ kind: 'scenario', id: 'by_hand', seed: 1 })).toMatchObject({ playing: false, follow: true });
});
