import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, kSegmentEvents, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { TraceFileReader } from '../../../web/src/trace/trace_reader.ts';

const kEvents = kSegmentEvents * 2 + 1234;
const kNotes = { title: 'A story', chapters: ['one', 'two'] };
const kFirstSegment = 32 + 48; // header and these notes

function someTrace(): Trace {
  const random = createRandom(1);
  const trace = new Trace();
  const words = new Uint32Array(kEvents * 4);
  for (let i = 0; i < kEvents; ++i) {
    words.set([headOf(EventKind.chunkTaken, 1), random.next(), random.next(), random.next()], i * 4);
  }
  trace.append(words);
  return trace;
}

const trace = someTrace();
const whole = new Uint8Array(encodeTraceFile(trace, 4, kNotes, { plain: true }));
const secondSegment = kFirstSegment + 16 + kSegmentEvents * 16;

const bytesOf = (of: Trace, n: number) => Buffer.from(of.segment(n)?.buffer ?? new ArrayBuffer(0));
function decode(bytes: Uint8Array) {
  return decodeTraceFile(bytes.slice().buffer);
}
function damagedAt(byte: number): Uint8Array {
  const bytes = whole.slice();
  bytes[byte] = (bytes[byte] ?? 0) ^ 0x10;
  return bytes;
}
function expectOpened(bytes: Uint8Array) {
  const decoded = decode(bytes);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}
function expectRefused(bytes: Uint8Array) {
  const decoded = decode(bytes);
  if (decoded.ok) throw new Error('the file was accepted');
  return decoded.error;
}

describe('a trace file of plain segments', () => {
  test('gives back every event, the word size and the notes', () => {
    const opened = expectOpened(whole);
    expect(opened.trace.count).toBe(kEvents);
    expect(opened.wordSize).toBe(4);
    expect(opened.notes).toEqual(kNotes);
    expect(opened.notice).toBeUndefined();
    for (const n of [0, 1, 2]) expect(bytesOf(opened.trace, n).equals(bytesOf(trace, n))).toBe(true);
  });

  test('of no events is whole too', () => {
    const opened = expectOpened(new Uint8Array(encodeTraceFile(new Trace(), 8, {})));
    expect([opened.trace.count, opened.wordSize, opened.notice]).toEqual([0, 8, undefined]);
  });

  test('that was cut gives its whole segments and says what is lost', () => {
    const opened = expectOpened(whole.subarray(0, secondSegment + 16 + 1000));
    expect(opened.trace.count).toBe(kSegmentEvents);
    expect(opened.notice).toMatch(/cut inside .* events from 65,536 on, at byte 1,048,672, which lacks 65,474/);
    expect(opened.notice).toMatch(/the first 65,536 events were read/);
  });

  test('without its end mark is called cut, though no event is missing', () => {
    const opened = expectOpened(whole.subarray(0, whole.length - 16));
    expect(opened.trace.count).toBe(kEvents);
    expect(opened.notice).toMatch(/^the file was cut at byte/);
  });

  test('can be cut anywhere without an exception', () => {
    for (let bytes = 0; bytes < 200; ++bytes) decode(whole.subarray(0, bytes));
    for (let less = 1; less < 200; less += 13) expect(decode(whole.subarray(0, whole.length - less)).ok).toBe(true);
  });

  test('with a damaged record gives the segments before it and names the place', () => {
    const opened = expectOpened(damagedAt(secondSegment + 16 + 40_000));
    expect(opened.trace.count).toBe(kSegmentEvents);
    expect(opened.notice).toMatch(/events from 65,536 on, at byte 1,048,672, is damaged \(its checksum differs\)/);
  });

  test('with a damaged first segment is refused', () => {
    const error = expectRefused(damagedAt(kFirstSegment + 100));
    expect([error.problem, error.at]).toEqual(['damaged', kFirstSegment]);
    expect(error.message).toMatch(/no event can be read/);
  });

  test('with damage in any byte of its header or notes is refused', () => {
    for (let byte = 0; byte < kFirstSegment; ++byte) expect(decode(damagedAt(byte)).ok).toBe(false);
    for (let byte = 32; byte < kFirstSegment; ++byte)
      expect(expectRefused(damagedAt(byte)).message).toMatch(/the notes are damaged/);
  });

  test('is known to be damaged when its notes are there, and not before: more of the file may come', () => {
    const reader = new TraceFileReader();
    const damaged = damagedAt(kFirstSegment - 1);
    for (let byte = 0; byte < kFirstSegment; ++byte) {
      expect([reader.header, reader.error], `${byte} bytes`).toEqual([undefined, undefined]);
      reader.push(damaged.subarray(byte, byte + 1), () => {});
    }
    expect(reader.error?.message).toMatch(/the notes are damaged/);
  });

  test('that is something else is refused, naming what it is', () => {
    const error = expectRefused(new TextEncoder().encode('{"not": "ours"}'));
    expect(error.problem).toBe('not_a_trace');
    expect(error.message).toMatch(/it is JSON/);
    expect(expectRefused(new Uint8Array(0)).message).toMatch(/it is empty/);
  });

  test('is read from every kind of bytes, of another realm too', () => {
    const small = new Trace();
    small.appendEvent(headOf(EventKind.mark, 1), 1, 2, 3);
    const file = encodeTraceFile(small, 4, {});
    const around = new Uint8Array(file.byteLength + 24);
    around.set(new Uint8Array(file), 16);
    const shared = new SharedArrayBuffer(file.byteLength);
    new Uint8Array(shared).set(new Uint8Array(file));
    const elsewhere = runInNewContext('new ArrayBuffer(bytes)', { bytes: file.byteLength }) as ArrayBuffer;
    new Uint8Array(elsewhere).set(new Uint8Array(file));
    expect(elsewhere instanceof ArrayBuffer).toBe(false);
    const view = [around.buffer, 16, file.byteLength] as const;
    for (const bytes of [file, shared, elsewhere, new Uint8Array(...view), new DataView(...view), Buffer.from(...view)])
      expect(decodeTraceFile(bytes)).toMatchObject({ ok: true, value: { notice: undefined, trace: { count: 1 } } });
  });

  test.each([[undefined], [null], [0], [64], ['a.trace'], [[1, 2, 3]], [{}], [new Blob(['a'])]])(
    'that is no bytes is refused, saying what a file is: %j',
    (given) => {
      expect(decodeTraceFile(given as unknown as ArrayBuffer)).toEqual({
        ok: false,
        error: { problem: 'not_a_trace', message: expect.stringMatching(/^a trace file is bytes: /), at: 0 },
      });
    },
  );

  test('of another version is refused, naming both', () => {
    const other = whole.slice();
    new DataView(other.buffer).setUint32(8, 77, true);
    const error = expectRefused(other);
    expect(error.problem).toBe('other_version');
    expect(error.message).toMatch(/trace version 77.*this reader knows trace versions 2 to 7/);
  });

  test('with an event of unknown kind is cut there', () => {
    const odd = new Trace();
    odd.appendEvent(headOf(EventKind.mark, 1), 1, 2, 3);
    odd.appendEvent(99, 1, 2, 3);
    expect(expectRefused(new Uint8Array(encodeTraceFile(odd, 4, {}))).message).toMatch(/unknown kind 99/);
  });
});
