import { beforeAll, describe, expect, test } from 'vitest';
import { addr } from '../../../../web/src/base/brand.ts';
import { frameParts } from '../../../../web/src/base/frames.ts';
import { createRandom } from '../../../../web/src/base/random.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import { kInUse } from '../../../../web/src/model/state/chunk_table.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { textRecords } from '../../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { Drive } from '../drive.ts';
import { kWhole, SiteWriter, withSites } from '../sited_trace.ts';

const stackOf = (operation: number) => [
  'main@app.c:3',
  `work_${operation % 5}@app.c:${operation % 7}`,
  `op ${operation}`,
];

describe('the site of a block', () => {
  let trace: Trace;
  let history: History;
  beforeAll(async () => {
    const drive = await Drive.start(21);
    drive.runMalloc(3000, 70, undefined);
    drive.run(2000, 75);
    drive.module.drain();
    trace = withSites(drive.trace, stackOf);
    history = new History(trace);
    history.fold();
    expect(history.broken).toBeUndefined();
  });

  /** By address of each chunk in use: the operation that made it, by replay from zero with a naive twin. */
  function twinAt(seq: number): Map<number, string> {
    const twin = new Map<number, string>();
    let depth = 0;
    let operation = -1;
    for (let at = 0; at < seq; ++at) {
      const kind = trace.kind(at);
      if (kind === EventKind.opBegun && depth++ === 0) operation += 1;
      else if (kind === EventKind.opEnded) depth -= 1;
      else if (depth === 0 && kWhole.has(kind)) operation += 1;
      if (kind === EventKind.chunkTaken || kind === EventKind.chunkReused) twin.set(trace.a(at), `op ${operation}`);
    }
    return twin;
  }

  test('is that of the call that made it, at any moment of a random walk through time', () => {
    const travel = new TimeTravel(history);
    const random = createRandom(5);
    let compared = 0;
    for (let step = 0; step < 12; ++step) {
      const seq = random.below(trace.count);
      travel.seek(seq);
      const twin = twinAt(seq);
      const { state } = travel;
      for (const [chunk, operation] of twin) {
        const granule = state.granuleAt(chunk);
        const born = state.born[granule] ?? 0;
        const word = state.chunks[granule] ?? 0;
        const starts = trace.kind(born) === EventKind.chunkTaken || trace.kind(born) === EventKind.chunkReused;
        if ((word & kInUse) === 0 || !starts || trace.a(born) !== chunk) continue;
        const stack = history.sites.stack(history.sites.ofEvent(born, history.operations));
        expect(stack[0], `chunk ${chunk} at ${seq}`).toBe(operation);
        expect(stack).toHaveLength(3);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(2000);
  });

  test('is what the inspector shows, innermost frame first', () => {
    const born = Array.from({ length: trace.count }, (_, i) => trace.count - 1 - i).find((at) => {
      const granule = history.head.granuleAt(trace.a(at));
      return trace.kind(at) === EventKind.chunkTaken && history.head.born[granule] === at;
    });
    if (born === undefined) throw new Error('no block lives');
    const frame = queryInspect(history, history.head, addr(trace.a(born) + 4), undefined);
    expect(frame.stack?.[0]).toMatch(/^op \d+$/);
    expect(frame.stack?.at(-1)).toBe('main@app.c:3');
  });
});

describe('a trace with sites', () => {
  const folded = (write: (trace: Trace, sites: SiteWriter) => void): History => {
    const trace = new Trace();
    write(trace, new SiteWriter(trace));
    const history = new History(trace);
    history.fold();
    return history;
  };
  const operation = (trace: Trace): number => {
    trace.appendEvent(headOf(EventKind.opBegun, 0, 1), 0, 8, 0);
    trace.appendEvent(headOf(EventKind.opEnded, 0, 1), 0, 0, 1);
    return trace.count - 1;
  };

  test('gives each operation the site entered before it, and the next one none', () => {
    let ends: number[] = [];
    const { sites, operations } = folded((trace, writer) => {
      const none = operation(trace);
      writer.enter(['main', 'load']);
      const first = operation(trace);
      const second = operation(trace);
      writer.enter(['main']);
      trace.appendEvent(headOf(EventKind.eventsLost, 0), 7, 0, 0);
      ends = [none, first, second, operation(trace)];
    });
    expect(ends.map((end) => sites.stack(sites.ofEvent(end, operations)))).toEqual([[], ['load', 'main'], [], []]);
  });

  test('whose definitions contradict each other ends there', () => {
    const twice = folded((trace) => {
      trace.appendEvent(headOf(EventKind.siteDefined, 0), 1, 0, 1);
      trace.appendEvent(headOf(EventKind.siteDefined, 0), 1, 0, 1); // said again: fine
      trace.appendEvent(headOf(EventKind.siteDefined, 0), 1, 0, 2);
    });
    expect(twice.broken).toEqual({ seq: 2, text: 'site 1 is defined twice' });
    const text = folded((trace) => {
      for (const word of ['one', 'two']) {
        trace.append(textRecords(word));
        trace.appendEvent(headOf(EventKind.stringDefined, 0), 1, 0, 0);
      }
    });
    expect(text.broken).toEqual({ seq: 3, text: 'string 1 is defined twice' });
  });

  test('whose parents are missing or below themselves has finite stacks', () => {
    const { sites } = folded((trace) => {
      trace.appendEvent(headOf(EventKind.siteDefined, 0), 5, 5, 1);
      trace.appendEvent(headOf(EventKind.siteDefined, 0), 6, 9, 1);
      trace.appendEvent(headOf(EventKind.siteDefined, 0), 9, 6, 1);
    });
    expect([5, 6, 9].map((site) => sites.stack(site).length)).toEqual([1, 1, 2]);
    expect(sites.stack(6)).toEqual(['(name lost)']);
  });
});

test('a frame is split at its first @: paths have it, names of functions do not', () => {
  expect(frameParts('std::vector<int>::push_back@src/a@b.cpp:12')).toEqual({
    name: 'std::vector<int>::push_back',
    file: 'src/a@b.cpp',
    line: 12,
  });
  expect(frameParts('wasm-function[12]')).toEqual({ name: 'wasm-function[12]', file: '', line: 0 });
  expect(frameParts('load@C:/x.cpp:7')).toEqual({ name: 'load', file: 'C:/x.cpp', line: 7 });
});
