// VitePress builds for one fixed base address. This makes a built site independent of it: the site may then lie below any path
// of any static host.
//
//   RL1  All pages lie in one folder, so "./" is the base in HTML.
//   RL2  Scripts ask for the base when they run: VitePress' own by a plugin of the build, since a bundler computes with what it
//        knows (the length of the base); elsewhere every text that begins with the built-in base becomes the base of the page
//        plus the rest. `kBaseName` is set by the page before any script runs.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** Stands for the base during the build; nothing else may contain it. */
export const kBuiltBase = '/heapglass-site-base/';
const kBaseName = 'globalThis.heapglassBase';

export const kBaseScript = `${kBaseName} = new URL('./', document.baseURI).pathname;`;

/** RL2. A plugin of Vite. */
export const baseAtRunTime = {
  name: 'heapglass-base',
  enforce: 'pre',
  transform: (code, id) =>
    /vitepress\/dist\/client\/app\/utils\.js/.test(id)
      ? code.replaceAll('import.meta.env.BASE_URL', kBaseName)
      : undefined,
};

const quoted = new RegExp(`(["'\`])${kBuiltBase}([^"'\`\\n]*)\\1`, 'g');

export async function makeRelative(folder) {
  for (const path of filesBelow(folder)) {
    if (!/\.(html|js|css|json|xml)$/.test(path)) continue;
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.js')) writeFileSync(path, await small(inScript(text)));
    else if (text.includes(kBuiltBase)) writeFileSync(path, inPage(path, text));
  }
}

/** RL1. Styles lie in assets/, and name files beside them. The site's settings, which a page hands to its scripts, get the base too. */
function inPage(path, text) {
  const relative = text.replaceAll(kBuiltBase, path.endsWith('.css') ? '../' : './');
  const settings = /window\.__VP_SITE_DATA__=JSON\.parse\("(?:[^"\\]|\\.)*"\);?/;
  return relative.replace(settings, (found) => `${found};window.__VP_SITE_DATA__.base=${kBaseName};`);
}

const small = async (script) => (await transform(script, { minify: true, format: 'esm' })).code;

/** RL2. The search index is a long text of its own, which is changed when it is read. */
function inScript(text) {
  const [head, tail] = [kBuiltBase.slice(0, 5), kBuiltBase.slice(5)];
  const indexed = text.replace(
    /"(?:[^"\\\n]|\\.)*documentCount(?:[^"\\\n]|\\.)*"/,
    (index) => `${index}.replaceAll(${JSON.stringify(head)}+${JSON.stringify(tail)},${kBaseName})`,
  );
  if (indexed !== text) return indexed;
  const changed = text.replace(quoted, (_, quote, rest) => `(${kBaseName}+${quote}${rest}${quote})`);
  if (changed.includes(kBuiltBase))
    throw new Error(`a script names the base where it is not known: ${around(changed)}`);
  return changed;
}

const around = (text) => {
  const at = text.indexOf(kBuiltBase);
  return text.slice(Math.max(0, at - 60), at + 60);
};

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
