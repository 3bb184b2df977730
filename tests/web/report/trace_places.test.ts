// Places in a real story's trace: its chapters are the marks that it has, by their names.

import { beforeAll, describe, expect, test } from 'vitest';
import { findBetween, findPlaces } from '../../../web/src/report/trace_places.ts';
import { Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine } from '../engine/harness.ts';

describe('a story with chapters', () => {
  let file: TraceFile;
  let chapters: readonly string[];
  beforeAll(async () => {
    const { run, ask } = makeEngine();
    await run('adaptive_pool');
    const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
    if (!decoded.ok) throw new Error(decoded.error.message);
    file = decoded.value;
    chapters = file.notes.chapters ?? [];
  });

  test('has each of them as a mark, in its order', () => {
    expect(chapters.length).toBeGreaterThan(3);
    const { marks, markCount, samples } = findPlaces(file.trace, chapters);
    expect(marks.map(({ name }) => name)).toEqual(chapters);
    expect(markCount).toBe(chapters.length);
    expect(samples.at(-1)).toBe(file.trace.count);
    expect(marks.map(({ event }) => event)).toEqual([...marks.map(({ event }) => event)].sort((x, y) => x - y));
  });

  test('is looked at between two of them, the second behind the first', () => {
    const { marks } = findPlaces(file.trace, chapters);
    const [, second, third] = marks;
    const named = (nth: number) => chapters[nth] ?? '';
    expect(findBetween(file, named(1), named(2))).toEqual({ ok: true, value: { from: second, to: third } });
    const known = chapters.map((name) => `"${name}"`).join(', ');
    expect(findBetween(file, named(2), named(1))).toEqual({
      ok: false,
      error: `the trace has no mark "${named(1)}" behind the first mark "${named(2)}"; it has ${known}`,
    });
    expect(findBetween(file, 'none', named(1))).toEqual({
      ok: false,
      error: `the trace has no mark "none"; it has ${known}`,
    });
  });

  test('whose chapters are nameless has them by their numbers', () => {
    const { marks } = findPlaces(file.trace, []);
    expect(marks.map(({ name }) => name)).toEqual(chapters.map((_, nth) => `chapter ${nth}`));
  });
});

test('where a trace has no marks, it is said how a program writes one', () => {
  expect(findBetween({ trace: new Trace(), notes: {} }, 'a', 'b')).toEqual({
    ok: false,
    error: 'the trace has no marks; hg_mark("name") in the program writes one',
  });
});
