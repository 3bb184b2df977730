// One row of the map as pixels. A row is one line of colours stretched downwards, so it is made as lines of 32-bit
// pixels and copied: this costs the same for ten chunks and for ten thousand, with or without a GPU.
//
//     y  ── edge ──────────   the outline of pool blocks, else ground
//        ── ground ────────   states, with diagonal stripes from `hatch`, and the other way from `weave`
//        ── inner ─────────   nodes, else ground
//        ── ground ────────
//        ── edge ──────────
//
//  R1  fillSpan weighs by area: what shares a pixel is averaged, so the picture does not shimmer while zooming.
//  R2  Spans of one row given to fillSpan do not overlap; coverSpan paints over what is there, after resolve().
//  R3  0 in `inner`, `edge` and `weave` means: nothing here. Every real pixel is opaque, so never 0.

/** Distance and width of the stripes, CSS pixels. */
const kHatchPeriod = 7;
const kHatchWidth = 2;

export interface RowRaster {
  readonly width: number; // device pixels
  readonly height: number;
  readonly image: ImageData;
  readonly pixels: Uint32Array; // the image's
  readonly ground: Uint32Array;
  readonly hatch: Uint32Array;
  readonly weave: Uint32Array;
  readonly inner: Uint32Array;
  readonly edge: Uint32Array;
  readonly sums: Float32Array; // red, green, blue, share, share of hatch: of pixels shared by several spans
}

const kSums = 5;

export function makeRowRaster(context: CanvasRenderingContext2D, width: number, height: number): RowRaster {
  const image = context.createImageData(width, height);
  return {
    width,
    height,
    image,
    pixels: new Uint32Array(image.data.buffer),
    ground: new Uint32Array(width),
    hatch: new Uint32Array(width),
    weave: new Uint32Array(width),
    inner: new Uint32Array(width),
    edge: new Uint32Array(width),
    sums: new Float32Array(width * kSums),
  };
}

export function beginRow(raster: RowRaster, pixel: number): void {
  raster.ground.fill(pixel);
  raster.hatch.fill(pixel);
  raster.weave.fill(0);
  raster.inner.fill(0);
  raster.edge.fill(0);
  raster.sums.fill(0);
}

/** Adds [x0, x1) in `pixel`, striped with `stripe` by `share` 0..1. R1, R2. */
export function fillSpan(
  raster: RowRaster,
  x0: number,
  x1: number,
  pixel: number,
  stripe = pixel,
  share = stripe === pixel ? 0 : 1,
): void {
  const { ground, hatch, width } = raster;
  const from = Math.max(x0, 0);
  const to = Math.min(x1, width);
  if (to <= from) return;
  const first = Math.ceil(from);
  const last = Math.floor(to);
  if (last < first) {
    addShare(raster, last, to - from, pixel, stripe, share);
    return;
  }
  if (first > from) addShare(raster, first - 1, first - from, pixel, stripe, share);
  if (to > last) addShare(raster, last, to - last, pixel, stripe, share);
  ground.fill(pixel, first, last);
  hatch.fill(share <= 0 ? pixel : mixPixels(pixel, stripe, share), first, last);
}

function addShare(raster: RowRaster, x: number, area: number, pixel: number, stripe: number, share: number): void {
  const { sums } = raster;
  const at = x * kSums;
  sums[at] = (sums[at] ?? 0) + (pixel & 255) * area;
  sums[at + 1] = (sums[at + 1] ?? 0) + ((pixel >>> 8) & 255) * area;
  sums[at + 2] = (sums[at + 2] ?? 0) + ((pixel >>> 16) & 255) * area;
  sums[at + 3] = (sums[at + 3] ?? 0) + area;
  if (stripe !== pixel) sums[at + 4] = (sums[at + 4] ?? 0) + area * share;
}

/** Ends the filling: shared pixels get their average, over what lay below. `stripe` colours the hatched share. */
export function resolve(raster: RowRaster, stripe: number): void {
  const { ground, hatch, sums, width } = raster;
  for (let x = 0, at = 0; x < width; x++, at += kSums) {
    const area = sums[at + 3] ?? 0;
    if (area <= 0) continue;
    const below = ground[x] ?? 0;
    const rest = Math.max(1 - area, 0);
    const total = area + rest;
    const red = ((sums[at] ?? 0) + (below & 255) * rest) / total;
    const green = ((sums[at + 1] ?? 0) + ((below >>> 8) & 255) * rest) / total;
    const blue = ((sums[at + 2] ?? 0) + ((below >>> 16) & 255) * rest) / total;
    const pixel = (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
    ground[x] = pixel;
    hatch[x] = mixPixels(pixel, stripe, Math.min((sums[at + 4] ?? 0) / total, 1));
  }
}

/** Paints over the ground, whole pixels; blends by `share`. */
export function coverSpan(raster: RowRaster, x0: number, x1: number, pixel: number, share = 1): void {
  const { ground, hatch, width } = raster;
  const from = Math.max(Math.round(x0), 0);
  const to = Math.min(Math.round(x1), width);
  if (to <= from) return;
  if (share >= 1) {
    ground.fill(pixel, from, to);
    hatch.fill(pixel, from, to);
    return;
  }
  for (let x = from; x < to; x++) {
    ground[x] = mixPixels(ground[x] ?? 0, pixel, share);
    hatch[x] = mixPixels(hatch[x] ?? 0, pixel, share);
  }
}

/** Paints a line of the raster (inner, edge or weave) in [x0, x1), whole pixels. */
export function paintLine(line: Uint32Array, x0: number, x1: number, pixel: number): void {
  const from = Math.max(Math.round(x0), 0);
  const to = Math.min(Math.round(x1), line.length);
  if (to > from) line.fill(pixel, from, to);
}

/** Writes the lines into the image: `border` pixels of edge above and below, `inset` to the inner band. */
export function finishRow(raster: RowRaster, border: number, inset: number, ratio: number): void {
  const { width, height, pixels, ground, hatch, weave, inner, edge } = raster;
  const hatched = !same(ground, hatch);
  const woven = weave.some(isSet);
  const edged = edge.some(isSet);
  const filled = inner.some(isSet);
  const period = Math.round(kHatchPeriod * ratio);
  const stripe = Math.round(kHatchWidth * ratio);
  for (let y = 0; y < height; y++) {
    const at = y * width;
    pixels.set(ground, at);
    if (hatched) {
      for (let x = period - 1 - (y % period); x < width; x += period) {
        for (let i = x; i < x + stripe && i < width; i++) pixels[at + i] = hatch[i] ?? 0;
      }
    }
    if (woven) {
      for (let x = (y % period) - period; x < width; x += period) {
        for (let i = Math.max(x, 0); i < x + stripe && i < width; i++) {
          if (weave[i] !== 0) pixels[at + i] = weave[i] ?? 0;
        }
      }
    }
    const line = y < border || y >= height - border ? edge : y >= inset && y < height - inset ? inner : undefined;
    if (line === undefined || !(line === edge ? edged : filled)) continue;
    for (let x = 0; x < width; x++) {
      const pixel = line[x] ?? 0;
      if (pixel !== 0) pixels[at + x] = pixel;
    }
  }
}

const isSet = (pixel: number): boolean => pixel !== 0;

function same(one: Uint32Array, other: Uint32Array): boolean {
  for (let x = 0; x < one.length; x++) if (one[x] !== other[x]) return false;
  return true;
}

/** Opaque pixels only: `share` of `over` on `under`. */
export function mixPixels(under: number, over: number, share: number): number {
  const keep = 1 - share;
  const red = (under & 255) * keep + (over & 255) * share;
  const green = ((under >>> 8) & 255) * keep + ((over >>> 8) & 255) * share;
  const blue = ((under >>> 16) & 255) * keep + ((over >>> 16) & 255) * share;
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}
