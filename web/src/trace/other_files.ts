// What a file is that is not a trace, in words: people open pictures, archives and other tools' files, and ask what was wrong.
//
//   bytes ─▶ known first bytes? ─▶ text that begins in a known way? ─▶ other text: its beginning ─▶ else: its first bytes
//
//   Oth.1  Only the beginning of the file is looked at (kLooked bytes); the name says nothing here.
//   Oth.2  A sentence says what the file is, and, where there is one, the way to a trace.

import { isText } from '../base/text_bytes.ts';

/** Enough for tar, whose mark stands behind a name, a mode and a checksum. */
const kLooked = 512;

/** First bytes, in hexadecimal. */
const kBytes: readonly (readonly [begins: string, what: string])[] = [
  ['1f8b', 'it is compressed with gzip; unpack it first (gzip -d)'],
  ['28b52ffd', 'it is compressed with zstd; unpack it first (zstd -d)'],
  ['fd377a585a00', 'it is compressed with xz; unpack it first (xz -d)'],
  ['425a68', 'it is compressed with bzip2; unpack it first (bzip2 -d)'],
  ['504b0304', 'it is a zip archive; unpack it first'],
  [
    '0061736d',
    'it is a wasm module; heapglass instrument makes one that records its heap, and heapglass run writes the trace',
  ],
  ['89504e470d0a1a0a', 'it is a PNG picture'],
  ['ffd8ff', 'it is a JPEG picture'],
  ['474946383', 'it is a GIF picture'],
  ['25504446', 'it is a PDF document'],
  ['7f454c46', 'it is a program of this machine (ELF)'],
  ['cffaedfe', 'it is a program of this machine (Mach-O)'],
  ['50415231', 'it is a Parquet file'],
  ['4152524f5731', 'it is an Arrow file'],
  ['8002', 'it is a pickle of Python'],
  ['8003', 'it is a pickle of Python'],
  ['8004', 'it is a pickle of Python'],
  ['8005', 'it is a pickle of Python'],
];

const kTexts: readonly (readonly [begins: RegExp, what: string])[] = [
  [/^\s*<(?:!doctype html|html|head)\b/i, 'it is a page of HTML, which servers send where a file is missing'],
  [/^version https:\/\/git-lfs/, 'it is a pointer of Git LFS; git lfs pull fetches the file'],
  [/^desc: .*\ncmd: /, "it is Massif's file: sums over time and no calls; heaptrack records calls"],
  [/^\s*\{\s*"dhatFileVersion"/, "it is DHAT's file: sums by call site and no calls; heaptrack records calls"],
  [/^= Start\n/, "it is the log of glibc's mtrace; heaptrack records the same calls"],
  [/^v [0-9a-f]+ [123]\n/, "it is heaptrack's text; heapglass convert --from heaptrack makes a trace of it"],
  [/^\s*\{\s*"snapshot":\s*\{/, 'it is a heap snapshot of V8: JavaScript objects, and no memory of wasm'],
  [/^\s*\{\s*"head":\s*\{\s*"callFrame"/, 'it is a heap profile of V8: JavaScript objects, and no memory of wasm'],
  [/^\s*\{\s*"nodes":\s*\[\s*\{\s*"id":\s*\d+,\s*"callFrame"/, 'it is a processor profile of V8'],
  [/^\s*[{[]/, 'it is JSON'],
];

/** What a file is that begins with these bytes. */
export function nameOtherFile(bytes: Uint8Array): string {
  const head = bytes.subarray(0, kLooked);
  if (head.length === 0) return 'it is empty';
  const hex = hexOf(head, '');
  const known = kBytes.find(([begins]) => hex.startsWith(begins));
  if (known !== undefined) return known[1];
  const text = new TextDecoder('latin1').decode(head);
  if (text.slice(257, 262) === 'ustar') return 'it is a tar archive; unpack it first';
  const read = kTexts.find(([begins]) => begins.test(text.replace(/^\u00ef\u00bb\u00bf/, '')));
  if (read !== undefined) return read[1];
  const line =
    new TextDecoder()
      .decode(head)
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? '';
  if (line !== '' && isText(head) && !line.slice(0, 24).includes('\ufffd'))
    return `it is text, which begins with "${line.slice(0, 24)}"`;
  return `it begins with ${hexOf(head.subarray(0, 8), ' ')}`;
}

const hexOf = (bytes: Uint8Array, between: string): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(between);
