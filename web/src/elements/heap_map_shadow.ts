// The shadow root of an <hg-heap-map>: style sheets, the notices above the map, the map's place, and what failed over it.

import tokens from '../base/tokens.css?inline';
import mapSheet from '../map/heap_map.css?inline';
import elementSheet from './heap_map_element.css?inline';

export interface HeapMapShadow {
  /** The theme's CSS variables, after the sheet: they overrule the tokens' colours. */
  readonly variables: HTMLStyleElement;
  readonly notices: HTMLElement;
  readonly place: HTMLElement;
  readonly message: HTMLElement;
}

export function fillShadow(root: ShadowRoot): HeapMapShadow {
  const variables = document.createElement('style');
  const sheet = document.createElement('style');
  sheet.textContent = `${tokens}\n${elementSheet}\n${mapSheet}`;
  const place = document.createElement('div');
  place.className = 'hg-element__map';
  const notices = document.createElement('p');
  notices.className = 'hg-element__notices';
  notices.setAttribute('role', 'status');
  notices.setAttribute('part', 'notices');
  const message = document.createElement('p');
  message.className = 'hg-element__message';
  message.setAttribute('role', 'alert');
  root.replaceChildren(sheet, variables, notices, place, message);
  return { variables, notices, place, message };
}
