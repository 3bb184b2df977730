import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { OperationIndex } from '../../../web/src/trace/operations.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

//                0 1 2 3 4 5 6 7 8 9
// depth          . ( ( ) ) . ( ) . (      . is a mark, ( and ) are operations
const kShape = '.(()).().(';

const kKinds: Readonly<Record<string, EventKind>> = {
  '(': EventKind.opBegun,
  ')': EventKind.opEnded,
  n: EventKind.nodeTaken,
  r: EventKind.chunkReused,
  c: EventKind.chunkCached,
  '!': EventKind.eventsLost,
};

function indexed(shape: string) {
  const trace = new Trace();
  for (const sign of shape) {
    const kind = kKinds[sign] ?? EventKind.mark;
    trace.appendEvent(headOf(kind, 1, Op.allocate), 0, 0, 0);
  }
  const operations = new OperationIndex();
  operations.extend(trace);
  return { trace, operations };
}

test('only outermost operations count', () => {
  const { operations } = indexed(kShape);
  expect(operations.total).toBe(3);
  expect([0, 1, 2, 5, 7, 10].map((seq) => operations.begunBefore(seq))).toEqual([0, 0, 1, 1, 2, 3]);
});

test('steps stop behind outermost operations, at 0 and at the head', () => {
  const { operations } = indexed(kShape);
  const forward = [0];
  while (forward.length < 5) forward.push(operations.step(forward[forward.length - 1] ?? 0, 1));
  expect(forward).toEqual([0, 5, 8, 10, 10]);
  const back = [10];
  while (back.length < 5) back.push(operations.step(back[back.length - 1] ?? 0, -1));
  expect(back).toEqual([10, 8, 5, 0, 0]);
  expect(operations.step(6, -1)).toBe(5);
  expect(operations.step(6, 1)).toBe(8);
  expect(operations.step(0, 2)).toBe(8);
});

test('the operation around an event is the one it belongs to, or the one before', () => {
  const { operations } = indexed(kShape);
  expect([0, 1, 3, 5, 6, 9].map((event) => operations.around(event))).toEqual([
    undefined,
    [1, 5],
    [1, 5],
    [1, 5],
    [6, 8],
    [9, 10],
  ]);
});

test.each(['n(n)nn', 'r(r)cr'])(
  'a node or a cached chunk outside every operation is one by itself; inside it is a part: %s',
  (shape) => {
    const { operations } = indexed(shape);
    expect(operations.total).toBe(4);
    expect([0, 2, 4, 5].map((event) => operations.around(event))).toEqual([
      [0, 1],
      [1, 4],
      [4, 5],
      [5, 6],
    ]);
    expect([1, 2, 3].map((by) => operations.step(1, by))).toEqual([4, 5, 6]);
    expect(operations.step(4, -1)).toBe(1);
  },
);

test('a loss ends what was under way', () => {
  const { trace, operations } = indexed('((');
  trace.appendEvent(headOf(EventKind.eventsLost, 0), 5, 0, 0);
  trace.appendEvent(headOf(EventKind.opBegun, 1, Op.trim), 0, 0, 0);
  operations.extend(trace);
  expect(operations.total).toBe(2);
});

/** Read sign by sign: the operations with their ends; one that a loss cut has none. */
function outermost(shape: string): { begin: number; end: number | undefined }[] {
  const all: { begin: number; end: number | undefined }[] = [];
  let open = 0;
  for (const [at, sign] of [...shape].entries()) {
    if (sign === '!') open = 0;
    if ('nrc'.includes(sign) && open === 0) all.push({ begin: at, end: at + 1 });
    if (sign === '(' && open++ === 0) all.push({ begin: at, end: undefined });
    const last = all.at(-1);
    if (sign === ')' && open > 0 && --open === 0 && last !== undefined) last.end = at + 1;
  }
  return all;
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('in any shape, with losses amid calls, at every event (seed %i)', (seed) => {
  const random = createRandom(seed);
  const shape = Array.from({ length: 120 }, () => '((()))..nrc!'[random.below(12)]).join('');
  const { operations } = indexed(shape);
  const all = outermost(shape);
  const places = all.flatMap(({ end }) => (end === undefined ? [] : [end]));
  expect(operations.total).toBe(all.length);
  for (let seq = 0; seq <= shape.length; ++seq) {
    const begun = all.filter(({ begin }) => begin < seq).length;
    expect(operations.begunBefore(seq)).toBe(begun);
    const nth = all.findLastIndex(({ begin }) => begin <= seq);
    const whole = all[nth];
    const expected = whole && [whole.begin, whole.end ?? all[nth + 1]?.begin ?? shape.length];
    expect(operations.around(seq), `${shape} at ${seq}`).toEqual(expected);
    for (const by of [1, 2, 5]) {
      expect(operations.step(seq, by)).toBe(places.filter((place) => place > seq)[by - 1] ?? shape.length);
      expect(operations.step(seq, -by)).toBe(places.filter((place) => place < seq).at(-by) ?? 0);
    }
    expect(operations.step(seq, 0)).toBe(seq);
  }
});

test('an index that was extended bit by bit is the one that was made at once', () => {
  const { trace, operations } = indexed('.(n)(()!(n)r(');
  const slow = new OperationIndex();
  for (let until = 0; until <= trace.count; ++until) slow.extend(trace, until);
  for (let seq = 0; seq <= trace.count; ++seq) {
    expect(slow.around(seq)).toEqual(operations.around(seq));
    expect(slow.step(seq, 1)).toBe(operations.step(seq, 1));
  }
});
