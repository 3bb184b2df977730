// Loaded before a command by --import: the call number HG_FAIL_AT of the functions below fails, as a disk or a system would let it fail.
// HG_FAIL_LOG gets which one failed. HG_FAIL_IN: the script in whose process this happens; others
// that load this file are as they were.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const kCodes = {
  openSync: 'EMFILE',
  readFileSync: 'EIO',
  readSync: 'EIO',
  readdirSync: 'EIO',
  writeSync: 'ENOSPC',
  fsyncSync: 'EIO',
  closeSync: 'EIO',
  renameSync: 'EACCES',
  chmodSync: 'EPERM',
  statSync: 'EIO',
  fstatSync: 'EIO',
};
/** Whether import calls: from Node 24 on it reads by the functions that are replaced here. */
const isOfLoader = () => new Error().stack?.split('\n')[3]?.includes('node:internal/modules/') === true;
let loads = false;

function loaded(load) {
  loads = true;
  try {
    return load();
  } finally {
    loads = false;
  }
}

const isHere = process.argv[1]?.endsWith(process.env.HG_FAIL_IN) === true;
const at = isHere ? Number(process.env.HG_FAIL_AT) : 0;
const { writeFileSync } = fs;
let calls = 0;
let failed = '';

/** At once: others may still fail as the process ends. */
function note() {
  writeFileSync(process.env.HG_FAIL_LOG, JSON.stringify({ failed }));
}

for (const [name, code] of Object.entries(kCodes)) {
  const whole = fs[name];
  fs[name] = (...given) => {
    if (loads) return whole(...given);
    if (isOfLoader()) return loaded(() => whole(...given));
    calls += 1;
    if (calls !== at) return whole(...given);
    failed = name;
    note();
    if (name === 'closeSync') whole(...given); // it is closed in any case
    throw Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name.replace('Sync', '') });
  };
}
const real = fs.realpathSync.native;
fs.realpathSync.native = (...given) => {
  calls += 1;
  if (calls !== at) return real(...given);
  failed = 'realpath';
  note();
  throw Object.assign(new Error('EIO: injected, realpath'), { code: 'EIO', syscall: 'realpath' });
};
syncBuiltinESMExports();
if (isHere) note();
