// The map as a file of the pixels that are on the screen. As shapes: map_shapes.ts.

import type { MapParts } from './map_parts.ts';

/** The map with its selection and links, in the screen's resolution. */
export async function mapPng({ picture, overlay }: MapParts): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = contextOf(canvas);
  context.drawImage(picture, 0, 0);
  context.drawImage(overlay, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob === null) throw new Error('The browser makes no picture of the map: it may be short of memory.');
  return blob;
}

export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser gives no canvas to draw on: it may be short of memory.');
  return context;
}
