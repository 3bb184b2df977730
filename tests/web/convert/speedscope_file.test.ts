// speedscope's file beside the sums of call sites: for each quantity the sites that have some, outermost frame first.

import { beforeAll, expect, test } from 'vitest';
import { kQuantities } from '../../../web/src/convert/site_profile.ts';
import { writeSpeedscope } from '../../../web/src/convert/speedscope.ts';
import { readSites, type SummedSite } from '../../../web/src/report/site_sums.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { withSites } from '../model/sited_trace.ts';
import { playCounted } from '../report/counted_heap.ts';

interface Written {
  readonly name: string;
  readonly shared: { readonly frames: readonly { name: string; file?: string; line?: number }[] };
  readonly profiles: readonly {
    readonly name: string;
    readonly unit: string;
    readonly endValue: number;
    readonly samples: readonly (readonly number[])[];
    readonly weights: readonly number[];
  }[];
}

let file: TraceFile;
let sites: readonly SummedSite[];
let written: Written;
beforeAll(async () => {
  const played = await playCounted(9, 2000);
  const stackOf = (operation: number) =>
    operation % 9 === 0 ? [] : ['main@app.cpp:9', `load_${operation % 4}@src/load.cpp:${1 + (operation % 40)}`, 'grow'];
  file = { ...played.file, trace: withSites(played.file.trace, stackOf), notes: { title: 'sited' } };
  ({ sites } = readSites(file));
  written = JSON.parse(writeSpeedscope(file)) as Written;
});

test('each quantity is a profile of the sites that have some of it', () => {
  expect(written.name).toBe('sited');
  expect(written.profiles.map(({ name }) => name).toSorted()).toEqual(kQuantities.map(({ what }) => what).toSorted());
  for (const { name, unit, endValue, samples, weights } of written.profiles) {
    const quantity = kQuantities.find(({ what }) => what === name);
    if (quantity === undefined) throw new Error(name);
    const textOf = (nth: number) => {
      const frame = written.shared.frames[nth];
      return frame?.file === undefined ? frame?.name : `${frame.name}@${frame.file}:${frame.line}`;
    };
    const found = samples.map((sample, nth) => [sample.map(textOf).join(' > '), weights[nth]]);
    const wanted = sites
      .map(({ stack, figures }) => [
        stack.length === 0 ? '(call site not known)' : [...stack].reverse().join(' > '),
        quantity.of(figures),
      ])
      .filter(([, weight]) => Number(weight) > 0);
    expect(found, name).toEqual(wanted);
    expect(endValue).toBe(weights.reduce((sum, weight) => sum + weight, 0));
    expect(unit).toBe(quantity.unit === 'bytes' ? 'bytes' : 'none');
  }
  expect(written.profiles[0]?.name).toBe('bytes at the peak');
});
