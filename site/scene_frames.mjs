// In the site's own pages a block of "scene" is a live frame with that scene, and one of "scenes" the list of all.

import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../web/src/scenes/', import.meta.url);

/** Ids and titles, in the order of index.ts. */
function scenesListed() {
  const order = [...readFileSync(new URL('index.ts', folder), 'utf8').matchAll(/^ {2}(\w+),$/gm)].map(
    ([, name]) => name,
  );
  const scenes = new Map();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const found = /export const (\w+): Scene = \{\s*id: '(\w+)',\s*title: '([^']+)',\s*idea: '([^']+)'/.exec(text);
    if (found !== null) scenes.set(found[1], { id: found[2], title: found[3], idea: found[4] });
  }
  return order.map((name) => scenes.get(name)).filter((scene) => scene !== undefined);
}

const address = (id) => `./glass/index.html#scene=${id}`;

const frame = ({ id, title }) =>
  `<iframe class="hg-glass" loading="lazy" src="${address(id)}" title="Scene: ${title}"></iframe>` +
  `<p><a href="${address(id)}" target="_self">${title}, on a page of its own</a></p>`;

export function frames(markdown) {
  const fence = markdown.renderer.rules.fence;
  const scenes = scenesListed();
  markdown.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at];
    if (info.trim() === 'scenes') {
      const lines = scenes.map(
        ({ id, title, idea }) => `<li><a href="${address(id)}" target="_self">${title}</a>: ${idea}</li>`,
      );
      return `<ol>${lines.join('')}</ol>`;
    }
    if (info.trim() !== 'scene') return fence(tokens, at, ...rest);
    const scene = scenes.find(({ id }) => id === content.trim());
    if (scene === undefined) throw new Error(`there is no scene ${content.trim()}`);
    return frame(scene);
  };
}
