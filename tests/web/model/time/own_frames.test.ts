// The program's own frame of a call site: the innermost that is no library's and says where it stands; and the sites behind a frame.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { ownFrameAt, sitesThrough } from '../../../../web/src/model/time/own_frames.ts';
import { Trace } from '../../../../web/src/trace/trace.ts';
import { SiteWriter } from '../sited_trace.ts';

/** Stacks with the outermost frame first, and the sites that they are. */
function sitesOf(...stacks: readonly (readonly string[])[]) {
  const writer = new SiteWriter(new Trace());
  const numbers = stacks.map((frames) => writer.define(frames));
  const history = new History(writer.trace);
  history.fold();
  expect(history.broken).toBeUndefined();
  return { sites: history.sites, numbers };
}
const [main, parse] = ['main@app.c:3', 'parse@parse.c:9'];
const kOwn: readonly (readonly [stack: readonly string[], own: string])[] = [
  [[main, parse, 'operator new', 'malloc'], parse],
  [[main, parse], parse],
  [[main, 'helper', 'malloc'], main], // it does not say where it stands
  [['start', 'helper', 'malloc'], 'helper'],
  [['operator new', 'malloc'], 'malloc'],
  [[main, 'std::vector<int>::push_back@v.h:2', 'malloc'], main],
];

test('it is the innermost frame of the program that says where it stands, or else the innermost', () => {
  const { sites, numbers } = sitesOf(...kOwn.map(([stack]) => stack));
  for (const order of [[...kOwn.keys()], [...kOwn.keys()].reverse(), [...kOwn.keys()]])
    for (const nth of order) expect(ownFrameAt(sites, numbers[nth] ?? 0), kOwn[nth]?.[0].join()).toBe(kOwn[nth]?.[1]);
  expect([ownFrameAt(sites, 0), ownFrameAt(sites, 999)]).toEqual(['', '']);
});

test('sites are behind a frame that is anywhere in their stacks, and each frame is looked at once', () => {
  const { sites, numbers } = sitesOf([main, parse, 'malloc'], [main, 'malloc'], ['other', parse, 'malloc'], ['other']);
  const through = (wanted: string) => {
    const asked: string[] = [];
    const found = sitesThrough(sites, (frame) => {
      asked.push(frame);
      return frame === wanted;
    });
    expect(new Set(asked).size).toBe(asked.length);
    return numbers.map((site) => found.has(site));
  };
  expect(through(parse)).toEqual([true, false, true, false]);
  expect(through(main)).toEqual([true, true, false, false]);
  expect(through('malloc')).toEqual([true, true, true, false]);
  expect(through('none')).toEqual([false, false, false, false]);
});
