import { describe, expect, test } from 'vitest';
import { addr, seq } from '../../../web/src/base/brand.ts';
import { kInitialState, place, type State } from '../../../web/src/moment/state.ts';
import { unreadText } from '../../../web/src/moment/unread_text.ts';
import * as url from '../../../web/src/moment/url.ts';
import { kPanels } from '../../../web/src/panels/page.ts';

const readHash = (hash: string, unread?: string[]) => url.readHash(hash, kPanels, unread);
const writeHash = (state: State) => url.writeHash(state, kPanels);

const moment: State = {
  ...kInitialState,
  source: { kind: 'scenario', id: 'burst_list', seed: 7 },
  cursor: seq(48_212),
  playing: false,
  follow: false,
  range: { from: 40_000, to: 60_000 },
  since: 41_000,
  bookmarks: [40_100, 48_212],
  place: place(0x3e000, 4096),
  view: 'lives',
  folded: false,
  colour: 'thread',
  libraries: true,
  selected: addr(0x41a30),
  heap: 2,
  bin: 14,
  pool: 3,
  tab: 'experiments',
  experiment: 'AE5',
};

describe('a moment is an address', () => {
  test('reading what was written gives the same moment', () => {
    expect({ ...kInitialState, ...readHash(writeHash(moment)) }).toEqual(moment);
  });

  test('the address is readable: plain numbers, addresses in hex', () => {
    expect(writeHash(moment)).toBe(
      '#scenario=burst_list&seed=7&event=48212&from=40000&to=60000&since=41000&bookmarks=40100,48212&at=0x3e000&row=4096&view=lives&fold=off&colour=thread&libraries=on&select=0x41a30&heap=2&bin=14&pool=3&tab=experiments&experiment=AE5',
    );
  });

  test.each([
    { ask: 'holds', site: 'load@src/load.cpp:12' },
    { ask: 'holds', site: 'std::map<int, A&&>::operator[]=100%+1#2.5', through: true },
    { ask: 'holds' },
  ] as const)('a question about a call site is a part of it, whatever the name has in it: %o', (question) => {
    const asking = { question, at: moment.cursor };
    const unread: string[] = [];
    expect(readHash(writeHash({ ...moment, asking }), unread)).toMatchObject({ asking });
    expect(unread).toEqual([]);
  });

  test.each([
    [{ ask: 'leaked' }, 'leaked'],
    [{ ask: 'grew' }, 'grew'],
    [{ ask: 'grew', nth: 2 }, 'grew.2'],
    [{ ask: 'fits' }, 'fits'],
    [{ ask: 'fits', bytes: 307_200 }, 'fits.307200'],
    [{ ask: 'pins' }, 'pins'],
    [{ ask: 'pins', address: 0x41a30 }, 'pins.0x41a30'],
  ] as const)('the question %o is %s', (question, written) => {
    const asking = { question, at: moment.cursor };
    const hash = writeHash({ ...moment, asking });
    expect(hash.split('&')).toContain(`ask=${written}`);
    expect(readHash(hash).asking).toEqual(asking);
  });

  test.each(['leaked.3', 'holds.', 'grew.x', 'grew.1.2', 'fits.-1', 'fits.4294967296', 'pins.0x', 'why', ''])(
    'the question "%s" is none, and the address says so',
    (text) => {
      const unread: string[] = [];
      expect(readHash(`#event=5&ask=${text}`, unread)).not.toHaveProperty('asking');
      expect(unread).toEqual([`ask=${text}`]);
    },
  );

  test('a question needs its moment, and a moment no question', () => {
    expect(readHash('#event=5')).not.toHaveProperty('asking');
    expect(readHash('#ask=leaked')).not.toHaveProperty('asking');
    expect(readHash('#event=5&ask=leaked')).toMatchObject({ asking: { question: { ask: 'leaked' }, at: 5 } });
    expect(readHash('#event=5&ask=leaked&asked=3')).toMatchObject({ asking: { at: 3 } });
  });

  test('a text that was dropped has no address', () => {
    expect(writeHash({ ...moment, source: { kind: 'words', name: 'dropped.txt' } })).toBe('');
  });

  test('a trace that has an address is a moment too, and its file gives the name', () => {
    const source = { kind: 'trace', name: 'my app.hgtrace', address: 'traces/0/my%20app.hgtrace' } as const;
    const written = writeHash({ ...moment, source });
    expect(written).toMatch(/^#trace=traces\/0\/my%2520app\.hgtrace&event=48212&/);
    expect(readHash(written).source).toEqual(source);
    expect(writeHash({ ...moment, source: { kind: 'trace', name: 'dropped.hgtrace' } })).toBe('');
  });

  test('a scene has its own word, opens its own panel and stands still', () => {
    const scene = { ...moment, source: { kind: 'scenario', id: 'scene_joining', seed: 7 }, tab: 'learn' } as const;
    const written = writeHash(scene);
    expect(written).toMatch(/^#scene=joining&seed=7&event=48212&/);
    expect(written).not.toContain('tab=');
    expect({ ...kInitialState, ...readHash(written) }).toEqual(scene);
    expect(readHash('#scene=joining')).toMatchObject({ tab: 'learn', playing: false });
    const beside = { ...scene, tab: 'lists' } as const;
    expect({ ...kInitialState, ...readHash(writeHash(beside)) }).toEqual(beside);
  });

  test('a script is in the address, opens its own panel and stands still', () => {
    const source = { kind: 'script', name: 'Script', packed: 'S0-_9' } as const;
    const script = { ...moment, source, tab: 'script' } as const;
    expect(writeHash(script)).toMatch(/^#script=S0-_9&event=48212&/);
    expect(writeHash(script)).not.toContain('tab=');
    expect({ ...kInitialState, ...readHash(writeHash(script)) }).toEqual(script);
    expect(readHash('#script=a"b')).toEqual({});
  });

  test('event 0 is a moment too', () => {
    const start = { ...moment, cursor: seq(0) };
    expect(readHash(writeHash(start)).cursor).toBe(0);
  });

  test('nothing chosen leaves the address empty', () => {
    expect(writeHash(kInitialState)).toBe('');
  });

  test('while playing or following, no event is named', () => {
    expect(writeHash({ ...moment, playing: true })).not.toContain('event=');
    expect(writeHash({ ...moment, follow: true })).not.toContain('event=');
  });

  test("a text of the visitor's own is not in the address", () => {
    expect(writeHash({ ...moment, source: { kind: 'words', name: 'diary.txt' } })).toBe('');
  });

  test('parts that cannot be read are ignored, the rest still opens', () => {
    expect(readHash('#scenario=mixed_load&event=-4&seed=abc&at=0x10&row=3&bin=70000&select=0x1_0')).toEqual({
      source: { kind: 'scenario', id: 'mixed_load', seed: 1 },
    });
    expect(readHash('#scenario=<script>')).toEqual({});
    expect(readHash('')).toEqual({});
  });

  test('the panel that was named is part of it, the first one too: a program would open another', () => {
    expect(writeHash(kInitialState)).toBe('');
    expect(writeHash({ ...kInitialState, tab: 'lists' })).toBe('#tab=lists');
    expect(writeHash({ ...kInitialState, tab: 'heaps' })).toBe('#tab=heaps');
    expect(readHash('#tab=heaps&experiment=ZE9')).toEqual({ tab: 'heaps' });
    expect(readHash('#tab=attic')).toEqual({});
  });

  test('a named event stands still', () => {
    expect(readHash('#event=12')).toEqual({ cursor: 12, follow: false, playing: false });
  });

  test('what cannot be read is named as it is written, and the rest is kept', () => {
    const unread: string[] = [];
    expect(readHash('#scenario=burst_list&event=abc&seed=7&tab=attic&evnt=5&bookmarks=3,x', unread)).toMatchObject({
      source: { id: 'burst_list', seed: 7 },
      bookmarks: [3],
    });
    expect(unread).toEqual(['event=abc', 'bookmarks=3,x', 'tab=attic', 'evnt=5']);
    const none: string[] = [];
    readHash(writeHash(moment), none);
    readHash('#scene=joining&tab=words&open=table', none);
    readHash('#trace=a%20b.hgtrace', none);
    readHash('', none);
    expect(none).toEqual([]);
    expect(unreadText(['event=abc'])).toBe('A part of the link cannot be read and is left out: event=abc.');
    expect(unreadText(unread)).toContain('event=abc, bookmarks=3,x, tab=attic, and 1 more.');
  });

  test.each([
    ['from=60&to=40', ['from=60', 'to=40']],
    ['from=60', ['from=60']],
    ['from=sixty&to=90', ['from=sixty', 'to=90']],
    ['at=0x400', ['at=0x400']],
    ['row=8&at=0', ['at=0', 'row=8']],
  ])('parts that mean something only together are named together: %s', (hash, named) => {
    const unread: string[] = [];
    expect(readHash(`#${hash}&event=7`, unread)).toEqual({ cursor: 7, follow: false, playing: false });
    expect(unread).toEqual(named);
  });
});
