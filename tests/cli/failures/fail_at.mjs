// Loaded before a command by --import: the call number HG_FAIL_AT of the functions below fails, as a disk or a system would let it fail.
// At the end HG_FAIL_LOG gets how many calls there were, and which one failed.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const kCodes = {
  openSync: 'EMFILE',
  readFileSync: 'EIO',
  writeSync: 'ENOSPC',
  fsyncSync: 'EIO',
  closeSync: 'EIO',
  renameSync: 'EACCES',
  chmodSync: 'EPERM',
  statSync: 'EIO',
  fstatSync: 'EIO',
};
const at = Number(process.env.HG_FAIL_AT);
const { writeFileSync } = fs;
let calls = 0;
let failed = '';

for (const [name, code] of Object.entries(kCodes)) {
  const whole = fs[name];
  fs[name] = (...given) => {
    calls += 1;
    if (calls !== at) return whole(...given);
    failed = name;
    if (name === 'closeSync') whole(...given); // it is closed in any case
    throw Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name.replace('Sync', '') });
  };
}
const real = fs.realpathSync.native;
fs.realpathSync.native = (...given) => {
  calls += 1;
  if (calls !== at) return real(...given);
  failed = 'realpath';
  throw Object.assign(new Error('EIO: injected, realpath'), { code: 'EIO', syscall: 'realpath' });
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.HG_FAIL_LOG, JSON.stringify({ calls, failed })));
