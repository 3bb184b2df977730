// speedscope's own file: a profile for each quantity, a sample for each call site, its weight the quantity.
// https://www.speedscope.app/file-format-schema.json

import type { TraceFile } from '../trace/trace_file.ts';
import { kQuantities, profileOf, type Quantity } from './site_profile.ts';

/** What is opened first comes first; every other quantity comes behind them. */
const kFirst: readonly string[] = ['peak_space', 'alloc_space', 'inuse_space', 'alloc_objects', 'inuse_objects'];
const kOrdered = [
  ...kFirst.flatMap((name) => kQuantities.filter((each) => each.name === name)),
  ...kQuantities.filter(({ name }) => !kFirst.includes(name)),
];

export function writeSpeedscope(file: TraceFile): string {
  const { frames, stacks } = profileOf(file);
  const title = file.notes.title ?? 'heapglass trace';
  const profile = ({ of, unit, what }: Quantity) => {
    const some = stacks.filter(({ figures }) => of(figures) > 0);
    const weights = some.map(({ figures }) => of(figures));
    return {
      type: 'sampled',
      name: what,
      unit: unit === 'bytes' ? 'bytes' : 'none',
      startValue: 0,
      endValue: weights.reduce((sum, weight) => sum + weight, 0),
      samples: some.map(({ frames: stack }) => [...stack].reverse()), // outermost first
      weights,
    };
  };
  return `${JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'heapglass',
    name: title,
    activeProfileIndex: 0,
    shared: {
      frames: frames.map(({ name, file: path, line }) => ({
        name,
        ...(path === '' ? {} : { file: path }),
        ...(line === 0 ? {} : { line }),
      })),
    },
    profiles: kOrdered.map(profile),
  })}\n`;
}
