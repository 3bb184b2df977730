// SQLite with a database in memory: 40,000 rows inserted, indexed, queried, changed and deleted.

import { join } from 'node:path';
import { fetchCrate } from '../../../../../tools/fetch/crates.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;
const crate = {
  name: 'libsqlite3-sys',
  version: '0.39.1',
  sha256: '14a5f01b87b92705d07b433c06f96cbc764637d81a0bffb5734ce17cf0f9a2b3',
};

export default {
  name: 'sqlite',
  crates: [crate],
  async prepare() {
    const folder = fetchCrate(crate);
    if (folder === undefined) return undefined;
    const sqlite = join(folder, 'sqlite3');
    return {
      sources: [join(here, 'main.c'), embed('sqlite', join(here, 'script.sql')), join(sqlite, 'sqlite3.c')],
      flags: [
        `-I${sqlite}`,
        '-DSQLITE_THREADSAFE=0',
        '-DSQLITE_OS_OTHER=1', // main.c has the file system
        '-DSQLITE_TEMP_STORE=3', // sorting stays in memory
        '-DSQLITE_OMIT_LOAD_EXTENSION',
        '-DSQLITE_OMIT_WAL',
        '-DSQLITE_DQS=0',
      ],
      args: [],
      expected: '7a3d9c99098d586c74401c4694eadd2d55375890c930a0e305893477c85841c0',
    };
  },
};
