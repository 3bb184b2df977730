// SQLite with a database in memory: 40,000 rows inserted, indexed, queried, changed and deleted.

import { join } from 'node:path';
import { fetchCrate, root } from '../../../../../tools/fetch/crates.mjs';
import { kSqlite } from '../../../../../tools/fetch/program_sources.mjs';
import { embed } from '../embed.mjs';

const here = import.meta.dirname;

export default {
  name: 'sqlite',
  crates: [kSqlite.crate],
  async prepare() {
    const folder = fetchCrate(kSqlite.crate);
    if (folder === undefined) return undefined;
    const noFiles = join(root, 'programs/watched/sqlite/no_files.c');
    return {
      sources: [join(here, 'main.c'), noFiles, embed('sqlite', join(here, 'script.sql')), ...kSqlite.files(folder)],
      flags: [`-I${kSqlite.include(folder)}`, ...kSqlite.flags],
      args: [],
      expected: '7a3d9c99098d586c74401c4694eadd2d55375890c930a0e305893477c85841c0',
    };
  },
};
