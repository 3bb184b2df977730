// The last step of a placed module (wasm-build.sh): what the linker cannot be asked for.
//
//   node tools/finish_placed.mjs <file.wasm>
//
//   placed.1  The memory that it imports may have any size: the linker writes the size it would have for a program.
//   placed.2  The zeros at the end of its data are cut off: those of variables that begin as zero, which the linker writes out
//             because the memory is somebody else's. Who places the module clears its place (web/src/heap/place.ts). In shared
//             memory they are not there.

import { readFileSync, writeFileSync } from 'node:fs';

const kImports = 2;
const kData = 11;
const kHeader = 8; // magic and version
const [kFunction, kTable, kMemory] = [0, 1, 2]; // kinds of imports; else a global: a type, a flag
const [kHasMaximum, kShared] = [1, 2];
const kMostPages = 65_536;

const file = process.argv[2] ?? '';
const bytes = readFileSync(file);
const out = [bytes.subarray(0, kHeader)];
for (let at = kHeader; at < bytes.length; ) {
  const id = bytes[at];
  const [size, begin] = unsigned(at + 1);
  const end = begin + size;
  const change = { [kImports]: imports, [kData]: data }[id];
  const contents = change?.(begin, end) ?? bytes.subarray(begin, end);
  out.push(Buffer.from([id]), encoded(contents.length), contents);
  at = end;
}
writeFileSync(file, Buffer.concat(out));

/** placed.1 */
function imports(begin, end) {
  let [count, at] = unsigned(begin);
  for (; count > 0; --count) {
    for (let names = 2; names > 0; --names) {
      const [size, first] = unsigned(at);
      at = first + size;
    }
    const kind = bytes[at++];
    if (kind === kMemory) {
      const [flags, rest] = limits(at);
      const any = flags & kShared ? [kHasMaximum | kShared, 1, ...encoded(kMostPages)] : [0, 1];
      return Buffer.concat([bytes.subarray(begin, at), Buffer.from(any), bytes.subarray(rest, end)]);
    }
    if (kind === kTable) at = limits(at + 1)[1];
    else if (kind === kFunction) at = unsigned(at)[1];
    else at += 2;
  }
  throw new Error(`${file} imports no memory`);
}

/** Flags of limits, and the place behind them. */
function limits(at) {
  const flags = bytes[at];
  const [, rest] = unsigned(at + 1);
  return [flags, flags & kHasMaximum ? unsigned(rest)[1] : rest];
}

/** placed.2 */
function data(begin, end) {
  const [count, first] = unsigned(begin);
  if (count !== 1 || bytes[first] !== 0) return undefined; // shared: passive segments
  const offsetEnd = bytes.indexOf(0x0b, first) + 1;
  const [, contents] = unsigned(offsetEnd);
  let last = end;
  while (last > contents && bytes[last - 1] === 0) --last;
  return Buffer.concat([bytes.subarray(begin, offsetEnd), encoded(last - contents), bytes.subarray(contents, last)]);
}

/** LEB128: the number at a place, and the place behind it. */
function unsigned(place) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[place++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, place];
  }
}

function encoded(value) {
  const parts = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) parts.push((rest & 0x7f) | 0x80);
  return Buffer.from([...parts, rest]);
}
