// node run_stranger.mjs <name> <folder of the packages> <file for the result>: one stranger's work, as its package does it.
// The file gets { given, ms }: what the work gave, as JSON, and how long it took, with the loading of its package.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kChosen } from './stranger_lists.mjs';

const [name, folder = '', result = ''] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const anchor = join(folder, 'anchor.mjs'); // packages are found as a script of that folder finds them
writeFileSync(anchor, 'export const from = (specifier) => import(specifier);\n');
const { from } = await import(pathToFileURL(anchor).href);
const stranger = kChosen.find((one) => one.name === name);
if (stranger === undefined) throw new Error(`there is no stranger ${name}`);
const begun = performance.now();
const given = await stranger.work({ require, from, folder });
const ms = performance.now() - begun;
writeFileSync(result, JSON.stringify({ given: JSON.stringify(given) ?? 'undefined', ms }));
process.exit(0);
