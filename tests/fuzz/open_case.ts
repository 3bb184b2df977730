// What a visitor does with a trace: opens it, looks at everything, goes to and fro. An answer in words is a good answer;
// an exception that is not one of ours is not.

import { addr, bytes, seq } from '../../web/src/base/brand.ts';
import { Engine } from '../../web/src/engine/engine.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { FrameRequest, Reply } from '../../web/src/protocol/messages.ts';
import { headOf, Trace } from '../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { wanting } from '../web/engine/no_frame_parts.ts';

/** Words of an exception that nobody wrote for a reader. */
const kAccident =
  /undefined|null|not a function|Cannot |Invalid |is not iterable|call stack|unreachable|unknown case|NaN/;

/** What is open when the visitor opens the case. */
const kBefore = before();
function before(): ArrayBuffer {
  const trace = new Trace();
  trace.appendEvent(headOf(EventKind.heapCreated, 1, 4), 0x10000, 8, 0);
  trace.appendEvent(headOf(EventKind.segmentAdded, 1), 0x10000, 65_536, 0x1000c);
  return encodeTraceFile(trace, 4, {});
}

/** What was said; undefined: it opened without a remark. Throws when it is no sentence. */
export async function openCase(file: Uint8Array): Promise<string | undefined> {
  const engine = new Engine({ note: () => {} });
  await engine.handle({ type: 'openTrace', name: 'before', file: kBefore.slice(0) });
  const opened = await engine.handle({ type: 'openTrace', name: 'case', file: file.slice().buffer });
  const said = sentenceOf(opened);
  if (opened.type !== 'opened') {
    const answer = await engine.handle({ type: 'frame', frame: everything(1, 2, 20) });
    const nothing =
      answer.type === 'frame' && answer.frame.map?.segments.length === 0 && answer.frame.status.head === 0;
    if (!nothing) throw new Error('what was open before is still shown');
    return said;
  }
  const { events } = opened;
  for (const at of [events, Math.floor(events / 2), Math.floor(events / 3), events]) {
    for (const columns of [20, 300]) {
      const answer = await engine.handle({ type: 'frame', frame: everything(at, events, columns) });
      sentenceOf(answer);
      if (answer.type === 'failed') throw new Error(`the frame at ${at} fails: ${answer.message}`);
    }
  }
  return said;
}

function everything(at: number, events: number, columns: number): FrameRequest {
  return {
    at: { to: 'seq', seq: seq(at) },
    map: { origin: addr(0), bytesPerRow: bytes(columns * 8), rows: 200, columns },
    heap: 0,
    ...wanting({ inspect: addr(0x10000 + 160), lists: { bin: 6, pool: 3 }, explain: true, caches: true }),
    timeline: { from: seq(0), to: seq(events), columns: 200 },
  };
}

function sentenceOf(reply: Reply): string | undefined {
  const said = reply.type === 'failed' ? reply.message : reply.type === 'opened' ? reply.notice : undefined;
  if (said === undefined) return undefined;
  if (said.length < 12 || said.length > 600 || kAccident.test(said)) throw new Error(`no sentence: ${said}`);
  return said;
}
