// The memory of a process, when it has stopped falling, and how often it touched a page for the first time.

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

/** Minor page faults of a process so far: a count, whatever else the machine does. */
export function faultsOf(pid) {
  const behindName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1); // the name may have spaces
  return Number(behindName.split(' ')[7]);
}

/** Of these processes the one with the most memory: a page's. */
export const largestOf = (pids) => pids.reduce((a, b) => (residentOf(b) > residentOf(a) ? b : a));

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
