// The rows of a program's calls where a call fails or resizes, of a heap that is driven by hand.

import { expect, test } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import { CallKind, programTable } from '../../../web/src/convert/program_table.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { makeEngine } from '../engine/harness.ts';

test('a call that failed is a row of its own: nothing lives because of it, and no block is it', async () => {
  const { run, operate, ask } = makeEngine();
  await run('by_hand');
  const kept = (await operate({ op: 'allocate', size: bytes(100) })).mems[0] ?? addr(0);
  const huge = 0xf000_0000;
  expect((await operate({ op: 'allocate', size: bytes(huge) })).mems[0] ?? 0).toBe(0);
  await operate({ op: 'deallocate', mem: kept });
  const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  const table = programTable(decoded.value);
  const rows = Array.from({ length: table.count }, (_, row) => ({
    call: table.call[row],
    block: table.block[row],
    address: table.address[row],
    bytes: table.bytes[row],
    live: [table.liveBytes[row], table.liveBlocks[row]],
  }));
  expect(rows).toEqual([
    { call: CallKind.allocate, block: 1, address: kept, bytes: 100, live: [100, 1] },
    { call: CallKind.fail, block: 0, address: 0, bytes: huge, live: [100, 1] },
    { call: CallKind.free, block: 1, address: kept, bytes: 100, live: [0, 0] },
  ]);
});
