// The last events before a module ended, as text.

import { decodeEvent } from '../trace/decode.ts';
import { describeEvent } from '../trace/describe.ts';
import type { Trace } from '../trace/trace.ts';

const kLines = 12;

export function lastLines(trace: Trace): string[] {
  const lines: string[] = [];
  for (let seq = Math.max(0, trace.count - kLines); seq < trace.count; ++seq) {
    lines.push(`${seq + 1}  ${describeEvent(decodeEvent(trace, seq)).text}`);
  }
  return lines;
}
