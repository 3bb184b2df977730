// npm calls this after an install in this folder, and when another project installs the folder (`npm install ../heapglass`). npm links
// the folder then, and without dist/ the other project would have a package with nothing in it, and no word about it.
//
//   prepare.1  An install of this folder's own packages (npm ci, npm start, npm test) builds nothing and never fails here.
//   prepare.2  For another project it does not build either: that takes Emscripten and minutes. It says what to run, and fails.
//   prepare.3  What to run is its argument. From version 12 on npm runs no script of another project's package, but shows its command.

import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const { npm_config_local_prefix: project, _PACOTE_NO_PREPARE_: ofGit } = process.env;
const isForeign =
  ofGit !== undefined || (project !== undefined && existsSync(project) && realpathSync(project) !== root);

if (isForeign && !existsSync(join(root, 'dist/package/index.js'))) {
  console.error(`heapglass: this is the project's folder, not its package: nothing is built in it. Run in it

  ${process.argv[2]}

and install the tarball whose path that prints: npm install <folder>/heapglass-<version>.tgz`);
  process.exit(1);
}
