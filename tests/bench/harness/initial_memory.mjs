// Sets how much memory a module starts with, in its bytes. Emscripten before 3.1.32 or so cannot be told "heap base plus
// so much" (-sINITIAL_HEAP), and an allocator's footprint is seen only when memory begins near its heap's base.
//
// A module is a header of 8 bytes and sections: id, size (LEB128), content. The memory section (id 5) counts its memories
// (here one), then flags, the initial pages and, with flag 1, the most pages.

const kHeaderBytes = 8;
const kMemorySection = 5;

function readLeb(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at };
  }
}

function leb(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** The module with `pages` of initial memory. */
export function withInitialPages(bytes, pages) {
  for (let at = kHeaderBytes; at < bytes.length; ) {
    const { value: size, next: content } = readLeb(bytes, at + 1);
    if (bytes[at] === kMemorySection) {
      const count = readLeb(bytes, content);
      const flags = readLeb(bytes, count.next);
      const initial = readLeb(bytes, flags.next);
      if (count.value !== 1) throw new Error(`${count.value} memories`);
      const section = [1, ...leb(flags.value), ...leb(pages), ...bytes.subarray(initial.next, content + size)];
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([kMemorySection, ...leb(section.length), ...section]),
        bytes.subarray(content + size),
      ]);
    }
    at = content + size;
  }
  throw new Error('no memory section');
}
