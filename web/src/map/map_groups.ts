// What the chunks in use are coloured by: the choice in the map's bar, and what each colour stands for.

import { make, setText } from '../dom/dom.ts';
import type { Theme } from '../dom/palette.ts';
import { type ChunkGroups, type Colouring, kColourings, type MapFrame } from '../protocol/map_frames.ts';
import { groupColours } from './group_colours.ts';
import type { MapParts } from './map_parts.ts';

const kNames: Readonly<Record<Colouring, string>> = {
  age: 'by age',
  size: 'by size',
  thread: 'by thread',
  site: 'by call site',
};
const kOthers: Readonly<Record<Colouring, string>> = {
  age: '',
  size: 'other',
  thread: 'other threads',
  site: 'other calls',
};
const kUnknownSites = 'The trace does not say which call made a block.';

/** Sizes are all named, and threads while a name is free. */
export const hasOthers = ({ by, names }: Pick<ChunkGroups, 'by' | 'names'>): boolean =>
  by === 'site' || (by === 'thread' && !names.includes(''));

export function createMapGroups(parts: MapParts, choose: ((by: Colouring) => void) | undefined) {
  const select = make('select', {
    class: 'hg-map__colour',
    title: 'Colour of the chunks in use',
    'aria-label': 'Colour of the chunks in use',
  });
  for (const by of kColourings) select.append(make('option', { value: by }, kNames[by]));
  const list = make('ul', { class: 'hg-map__groups', 'aria-label': 'Colours', hidden: true });
  let by: Colouring = 'age';
  let drawn = '';
  select.addEventListener('change', () => choose?.(kColourings.find((each) => each === select.value) ?? 'age'));
  if (choose !== undefined) {
    parts.bar.prepend(select);
    parts.element.append(list);
  }

  function show(rows: readonly (readonly [colour: string | undefined, text: string])[]): void {
    list.replaceChildren(
      ...rows.map(([colour, text]) => {
        const swatch = make('i', { class: 'hg-map__swatch', hidden: colour === undefined });
        if (colour !== undefined) swatch.style.background = colour;
        const name = make('span', {});
        setText(name, text);
        return make('li', {}, swatch, name);
      }),
    );
  }

  return {
    setColour(next: Colouring): void {
      by = next;
      select.value = next;
    },
    update(frame: MapFrame | undefined, theme: Theme): void {
      list.hidden = by === 'age' || frame === undefined;
      if (list.hidden || frame === undefined) return;
      const { groups } = frame;
      const now = `${by}/${theme.name}/${groups === undefined}/${groups?.names.join()}`;
      if (now === drawn) return;
      drawn = now;
      if (groups === undefined) {
        show([[undefined, 'Nearer, where single chunks are drawn, they have these colours.']]);
        return;
      }
      const { colours } = groupColours(theme, groups.by);
      const named = groups.names.flatMap((name, nth) => (name === '' ? [] : [[colours[nth + 1], name] as const]));
      if (by === 'thread') named.sort(([, one], [, two]) => one.localeCompare(two, 'en', { numeric: true }));
      if (named.length === 0) show([[undefined, by === 'site' ? kUnknownSites : 'Nothing here is in use.']]);
      else show([...named, ...(hasOthers(groups) ? [[colours[0], kOthers[by]] as const] : [])]);
    },
  };
}
