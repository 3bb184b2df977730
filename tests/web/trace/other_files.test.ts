// What people open that is no trace: each is named, with the way to a trace where there is one.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const refused = (bytes: Uint8Array): string => {
  const decoded = decodeTraceFile(bytes);
  return decoded.ok ? 'it was opened' : decoded.error.message;
};
const root = new URL('../../../', import.meta.url);

test.each<[string, () => Uint8Array, RegExp]>([
  ['nothing', () => new Uint8Array(0), /: it is empty$/],
  ['a gzip of anything', () => gzipSync(text('a trace')), /compressed with gzip; unpack it first/],
  ['a tar archive', () => execFileSync('tar', ['cf', '-', '-C', 'docs', 'recording.md'], { cwd: root }), /tar archive/],
  ['a picture', () => readFileSync(new URL('docs/images/heap_map.png', root)), /: it is a PNG picture$/],
  ['a wasm module', () => Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), /a wasm module; .*heapglass run/],
  ['a Python pickle', () => Uint8Array.of(0x80, 4, 0x95, 3, 0, 0, 0, 0, 0, 0, 0), /: it is a pickle of Python$/],
  ["a server's page", () => text('<!DOCTYPE html>\n<title>Not found</title>'), /a page of HTML/],
  ["Massif's file", () => text('desc: --massif-out-file=m\ncmd: ./m\ntime_unit: i\n'), /Massif's file/],
  ["mtrace's log", () => text('= Start\n@ ./m:[0x11aa] + 0x5645684232a0 0x1\n'), /glibc's mtrace/],
  ["heaptrack's text", () => text('v 10400 3\nX ./m\nI 1000 5e298d\n'), /convert --from heaptrack/],
  ['a list of calls', () => text('time,address,size\n1,0x100,16\n'), /text, which begins with "time,address,size"$/],
  ['a text that is not ASCII', () => text('höhe;größe\n1;2\n'), /text, which begins with "höhe;größe"$/],
  ['JSON', () => text('[{"ph":"X"}]'), /: it is JSON$/],
  ['other bytes', () => Uint8Array.of(1, 2, 3, 0xff, 0, 9, 8, 7, 6), /: it begins with 01 02 03 ff 00 09 08 07$/],
])('%s is named', (_, bytes, sentence) => {
  const message = refused(bytes());
  expect(message).toMatch(/^this is not a heapglass trace: it /);
  expect(message).toMatch(sentence);
});

test.each([
  [{ snapshot: { meta: { node_fields: ['type'] } } }, /: it is a heap snapshot of V8/],
  [{ head: { callFrame: { functionName: '(root)' } } }, /: it is a heap profile of V8/],
  [{ nodes: [{ id: 1, callFrame: { functionName: '(root)' } }] }, /: it is a processor profile of V8$/],
  [{ dhatFileVersion: 2, mode: 'heap' }, /: it is DHAT's file/],
])('%j is named, written in one line or in many', (content, sentence) => {
  for (const indent of [undefined, 1, 4])
    expect(refused(text(JSON.stringify(content, undefined, indent)))).toMatch(sentence);
});
