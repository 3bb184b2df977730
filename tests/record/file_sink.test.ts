// Files of recorders in real folders: what they are called, and what happens where one cannot be opened, written or closed.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { closeTrace, couldWrite, nextPath, notesOf, openTrace } from '../../web/src/record/file_sink.ts';
import type { NodeProcess } from '../../web/src/record/node.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-sink-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** This process as another program's. */
const processOf = (...argv: string[]): NodeProcess =>
  Object.assign(Object.create(process) as NodeProcess, { argv, heapglassFiles: undefined });

const lines = () => {
  const written: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => written.push(line));
  return written;
};

test('the files of a process are numbered from the second on, before the extension', () => {
  const program = processOf('node', 'app.js');
  const next = (wanted: string, suffix?: string) => nextPath(program, wanted, suffix);
  expect([next('a.hgtrace'), next('a.hgtrace'), next('runs.d/a', '-t1'), next('a.b.hgtrace', '-t2')]).toEqual([
    'a.hgtrace',
    'a-2.hgtrace',
    'runs.d/a-3-t1',
    'a.b-4-t2.hgtrace',
  ]);
  expect(nextPath(processOf('node'), 'C:\\runs.d\\a', '-t1')).toBe('C:\\runs.d\\a-t1');
});

test('a trace is called as the script of its program; without one it has no name', () => {
  expect(notesOf(processOf('node', '/home/me/app.js'))).toEqual({ title: 'app.js' });
  expect(notesOf(processOf('node', 'C:\\me\\app.mjs'))).toEqual({ title: 'app.mjs' });
  expect([notesOf(processOf('node')), notesOf(processOf('node', '')), notesOf(processOf('node', 'dir/'))]).toEqual([
    {},
    {},
    {},
  ]);
});

test('what is written is in the file, piece behind piece', () => {
  const written = lines();
  const program = processOf('node', 'app.js');
  const path = join(folder, 'whole');
  const file = openTrace(program, path);
  if (file === undefined) throw new Error('not opened');
  const large = new Uint8Array(300_000).fill(7);
  expect(couldWrite(program, file, [Uint8Array.of(1, 2), new Uint8Array(0), large])).toBe(true);
  expect(couldWrite(program, file, [Uint8Array.of(3)])).toBe(true);
  closeTrace(program, file);
  expect(readFileSync(path).equals(Buffer.from([1, 2, ...large, 3]))).toBe(true);
  expect(written).toEqual([]);
});

test('a file that cannot be opened, written or closed is one line, and the program goes on', () => {
  const written = lines();
  const program = processOf('node', 'app.js');
  expect(openTrace(program, join(folder, 'nowhere', 'trace'))).toBeUndefined();
  writeFileSync(join(folder, 'read'), '');
  const file = openSync(join(folder, 'read'), 'r');
  expect(couldWrite(program, file, [Uint8Array.of(1)])).toBe(false);
  closeSync(file);
  expect(() => closeTrace(program, 1_000_000)).not.toThrow(); // no file has this number
  expect(written).toEqual([
    expect.stringMatching(/^heapglass: nothing is recorded, the file cannot be opened: ENOENT/),
    expect.stringMatching(/^heapglass: recording ends, the file cannot be written: EBADF/),
    expect.stringMatching(/^heapglass: the end of the file may be missing: EBADF/),
  ]);
});
