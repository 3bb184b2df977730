// node run_stranger.mjs <name> <folder of the packages> <file for the result>: one stranger's work, as its package does it.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kStrangers } from './stranger_programs.mjs';

const [name, folder = '', result = ''] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const anchor = join(folder, 'anchor.mjs'); // packages are found as a script of that folder finds them
writeFileSync(anchor, 'export const from = (specifier) => import(specifier);\n');
const { from } = await import(pathToFileURL(anchor).href);
const stranger = kStrangers.find((one) => one.name === name);
if (stranger === undefined) throw new Error(`there is no stranger ${name}`);
const given = await stranger.work({ require, from, folder });
writeFileSync(result, JSON.stringify(given) ?? 'undefined');
process.exit(0);
