// The memory of a process, and when it has stopped falling.

import { readFileSync } from 'node:fs';

const kMegabyte = 1e6;
const kPoll = 100; // ms
const kMostPolls = 50;
const kTypes = { js: 'text/javascript', cjs: 'text/javascript', wasm: 'application/wasm' };

export const typeOf = (name) => kTypes[name.split('.').at(-1)] ?? 'text/plain';

/** Resident megabytes of a process; 0 when it has ended. */
export function residentOf(pid) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes ?? 0) * 1024) / kMegabyte;
  } catch {
    return 0;
  }
}

/** Read when it does not fall any more. */
export async function settled(read) {
  let last = await read();
  for (let same = 0, polls = 0; same < 10 && polls < kMostPolls; ++polls) {
    await new Promise((done) => setTimeout(done, kPoll));
    const now = await read();
    same = now < last - 1 ? 0 : same + 1;
    last = now;
  }
  return last;
}
