// Copies files and folders where they differ, and removes what the source no longer has: what was built from the rest stays fresh.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function copyWhatDiffers(from, to) {
  if (!statSync(from).isDirectory()) {
    mkdirSync(dirname(to), { recursive: true });
    if (!existsSync(to) || !readFileSync(from).equals(readFileSync(to))) cpSync(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from);
  for (const name of readdirSync(to)) if (!names.includes(name)) rmSync(join(to, name), { recursive: true });
  for (const name of names) copyWhatDiffers(join(from, name), join(to, name));
}
