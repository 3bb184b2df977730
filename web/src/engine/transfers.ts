// Which buffers go over with a reply: those of its typed arrays and files, each once.

import type { Reply } from '../protocol/messages.ts';

export function transfersOf(reply: Reply): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(reply, found, 0);
  return [...found];
}

const kDeepest = 7; // reply > frame > parts > caches > cacheLists > rows > row > array

function collect(value: unknown, found: Set<ArrayBuffer>, depth: number): void {
  if (value instanceof ArrayBuffer) found.add(value);
  else if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null && depth < kDeepest) {
    for (const part of Object.values(value)) collect(part, found, depth + 1);
  }
}
