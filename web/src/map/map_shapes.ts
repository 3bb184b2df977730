// The map as a file of shapes. Apart from heap_map.ts: a map in a foreign page saves none and need not load this.

import { contextOf } from './map_picture.ts';
import { type MapPicture, mapSvg } from './map_svg.ts';

/** `title` is what a reader is told who cannot see it. */
export const mapSvgFile = (picture: MapPicture, title: string): Blob =>
  new Blob([mapSvg(picture, title, contextOf(document.createElement('canvas')))], { type: 'image/svg+xml' });
