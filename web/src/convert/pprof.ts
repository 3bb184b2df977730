// pprof's file, gzipped: a sample for each call site with a value for each quantity, as Go's heap profiles have them.
//
//   go tool pprof -http=: -sample_index=peak_space heap.pb.gz

import { gzipSync } from 'fflate';
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import type { TraceFile } from '../trace/trace_file.ts';
import { kQuantities, profileOf } from './site_profile.ts';

export function writePprof(file: TraceFile): Uint8Array {
  const { frames, stacks } = profileOf(file);
  const stringTable = new StringTable();
  const text = (each: string) => stringTable.dedup(each);
  const profile = new Profile({
    stringTable,
    sampleType: kQuantities.map(({ name, unit }) => new ValueType({ type: text(name), unit: text(unit) })),
    defaultSampleType: text('inuse_space'),
    comment: [text(file.notes.title ?? 'heapglass trace')],
    // A location is a line of a function: here each frame is one of both. Numbers begin with 1.
    function: frames.map(
      ({ name, file: path }, i) =>
        new Code({ id: i + 1, name: text(name), systemName: text(name), filename: text(path) }),
    ),
    location: frames.map(({ line }, i) => new Location({ id: i + 1, line: [new Line({ functionId: i + 1, line })] })),
    sample: stacks.map(
      ({ frames: stack, figures }) =>
        new Sample({ locationId: stack.map((frame) => frame + 1), value: kQuantities.map(({ of }) => of(figures)) }),
    ),
  });
  return gzipSync(profile.encode(), { mtime: 0 });
}
