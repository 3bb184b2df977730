// How large the next slab of a class is foreseen to be, beside the slabs that malloc makes.

import { expect, test } from 'vitest';
import { slabBytes } from '../../../web/src/answers/fit_policy.ts';
import { bytes } from '../../../web/src/base/brand.ts';
import { slabAround } from '../../../web/src/model/state/slab_around.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { decodeEvent } from '../../../web/src/trace/decode.ts';
import { Drive } from '../model/drive.ts';

const kWord = 4;
const kBytes = 40_000; // of blocks of one class: its slabs have grown by then

test.each([8, 16, 24, 48, 64, 80, 112, 128])('blocks of %i bytes come in slabs as large as foreseen', async (block) => {
  const drive = await Drive.start(1);
  const count = Math.ceil(kBytes / block);
  drive.calls.operate(0, { op: 'mallocAllocate', thread: undefined, size: bytes(block), count });
  expect(drive.compare()).toBeUndefined();
  const { trace, history } = drive;
  const made: number[] = [];
  const foreseen: number[] = [];
  let had = 0;
  for (let event = 0; event < trace.count; ++event) {
    if (trace.kind(event) !== EventKind.slabMade) continue;
    const { a, c } = decodeEvent(trace, event);
    if (c === 0) continue; // the table of slabs
    const slab = slabAround(history.head, a);
    foreseen.push(slabBytes(block / 8, kWord, had));
    made.push(slab?.size ?? 0);
    had += slab?.size ?? 0;
  }
  expect(made.length).toBeGreaterThan(9);
  expect(made).toEqual(foreseen);
});
