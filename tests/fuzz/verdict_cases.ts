// Traces of which every command must say the same: damaged files, mutated and contradictory streams, and streams with hostile names.

import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { namedTrace } from '../cli/named_trace.ts';
import { contradictoryStream } from './contradictory_stream.ts';
import { fileCase, recordsOf, streamCase } from './trace_cases.ts';

const kNames = [
  '\x1b[2J\x1b]0;owned\x07<img src=x onerror=alert(1)>\u202etxt.exe',
  '=HYPERLINK("https://attacker.example","x")\r\nheapglass: in: verified OK',
  '"><svg/onload=alert(1)></script><script>alert(1)</script>',
  '`$(touch owned)` | [x](javascript:alert(1)) \u2028\u2029\ud800\u0000',
];

/** Of every four: two streams around which the file is right, a damaged file, and a stream that contradicts itself. */
export function verdictCases(files: readonly Uint8Array[]): (seed: number) => Uint8Array {
  const named = kNames.map((name, nth) => namedTrace(name, [100, 300, 70_000], nth % 2 === 0));
  const seeds = [...files, ...named];
  const streams = seeds.map(recordsOf);
  return (seed) => {
    const kind = seed % 4;
    if (kind === 0) return fileCase(seeds, seed);
    if (kind > 1) return streamCase(streams, seed);
    const title = kNames[seed % 3] ?? '';
    return new Uint8Array(encodeTraceFile(contradictoryStream(seed).trace, 4, { title }));
  };
}
