// A limit on what a process uses of a core: on a busy machine it is not ended for having waited.

import { readFileSync } from 'node:fs';

const kTickMs = 10;

/** Milliseconds of cores that a process has used (Linux); elsewhere those that have passed. */
function coreTimeOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * kTickMs;
  } catch {
    return performance.now();
  }
}

/** Calls `run` when the process has used so much more than now. What it returns ends the watch. */
export function afterCoreTime(pid, ms, run) {
  const from = coreTimeOf(pid);
  const watch = () => {
    if (coreTimeOf(pid) - from >= ms) run();
    else timer = setTimeout(watch, ms);
  };
  let timer = setTimeout(watch, ms);
  return () => clearTimeout(timer);
}
