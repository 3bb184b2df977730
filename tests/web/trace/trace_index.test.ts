// The index at a trace file's end: a part of the trace is read by it, and no damaged one is followed.

import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { crc32OfWords } from '../../../web/src/trace/crc32.ts';
import { encodeEndAlone } from '../../../web/src/trace/file_parts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, encodeTraceFile, readTraceIndex } from '../../../web/src/trace/trace_file.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kEvents = 100;
const kEndBytes = 16;
const kFirstSegment = 48; // the header, and notes without words
const kIndexBytes = 32; // its head and one segment

const trace = new Trace();
for (let nth = 0; nth < kEvents; ++nth) trace.appendEvent(headOf(EventKind.mark, 1), nth, 0, 0);
const whole = new Uint8Array(encodeTraceFile(trace, 4, {}));
const segmentsEnd = whole.length - kEndBytes - kIndexBytes;

/** The index of a file, and how many bytes were read for it. */
async function readIndex(file: Uint8Array) {
  let read = 0;
  const source = {
    bytes: file.length,
    read: async (from: number, to: number) => {
      read += to - from;
      return file.subarray(from, to);
    },
  };
  return { index: await readTraceIndex(source), read };
}

test('is found at the end, and nothing else is read', async () => {
  const { index, read } = await readIndex(whole);
  expect(index).toEqual({
    segments: [{ offset: kFirstSegment, first: 0, events: kEvents, hasSnapshot: false }],
    end: segmentsEnd,
  });
  expect(read).toBe(kIndexBytes + kEndBytes);
});

test('of a file without one costs only its end', async () => {
  const without = joined([whole.subarray(0, segmentsEnd), encodeEndAlone(kEvents)]);
  expect(decodeTraceFile(without)).toMatchObject({ ok: true, value: { notice: undefined } });
  expect(await readIndex(without)).toEqual({ index: undefined, read: kEndBytes });
});

test('with damage in any byte is not used, and the file opens with a notice and every event', async () => {
  for (let byte = segmentsEnd; byte < whole.length; ++byte) {
    const inHead = byte - segmentsEnd;
    if (inHead >= 8 && inHead < 12) continue; // a word that says nothing
    const damaged = whole.slice();
    damaged[byte] = (damaged[byte] ?? 0) ^ 0x10;
    expect((await readIndex(damaged)).index, `byte ${byte}`).toBeUndefined();
    const opened = decodeTraceFile(damaged);
    if (!opened.ok) throw new Error(opened.error.message);
    expect([opened.value.trace.count, opened.value.notice], `byte ${byte}`).toEqual([kEvents, expect.any(String)]);
  }
});

test('is not looked for at an end with another mark, whose checksum is right', async () => {
  const other = whole.slice();
  const end = new Uint32Array(other.buffer, other.length - kEndBytes);
  end[0] = 1;
  end[3] = crc32OfWords(end.subarray(0, 3));
  expect((await readIndex(other)).index).toBeUndefined();
});
