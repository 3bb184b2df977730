// As much of a 2D context as the map's drawing uses, in Node: images land in one array of pixels, texts and rectangles
// are noted.

export interface Drawn {
  readonly context: CanvasRenderingContext2D;
  readonly pixels: Uint32Array;
  readonly texts: { readonly text: string; readonly x: number; readonly y: number }[];
  readonly outlines: { readonly x: number; readonly y: number; readonly width: number; readonly dash: string }[];
  readonly fills: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly style: string;
  }[];
  pixel(x: number, y: number): number;
}

const kLetter = 6.6;

export function fakeCanvas(width: number, height: number): Drawn {
  const pixels = new Uint32Array(width * height);
  const texts: Drawn['texts'] = [];
  const outlines: Drawn['outlines'] = [];
  const fills: Drawn['fills'] = [];
  let dash = '';
  const context = {
    fillStyle: '',
    createImageData: (w: number, h: number) => ({ width: w, height: h, data: new Uint8ClampedArray(w * h * 4) }),
    putImageData(image: ImageData, left: number, top: number) {
      const source = new Uint32Array(image.data.buffer);
      for (let y = 0; y < image.height; y++) {
        if (top + y < 0 || top + y >= height) continue;
        for (let x = 0; x < image.width; x++) {
          if (left + x < 0 || left + x >= width) continue;
          pixels[(top + y) * width + left + x] = source[y * image.width + x] ?? 0;
        }
      }
    },
    measureText: (text: string) => ({ width: text.length * kLetter }),
    fillText: (text: string, x: number, y: number) => texts.push({ text, x, y }),
    strokeRect: (x: number, y: number, w: number) => outlines.push({ x, y, width: w, dash }),
    fillRect(x: number, y: number, w: number, h: number) {
      fills.push({ x, y, width: w, height: h, style: context.fillStyle });
    },
    setLineDash(parts: readonly number[]) {
      dash = parts.join(' ');
    },
    setTransform() {},
    clearRect() {},
    save() {},
    restore() {},
    beginPath() {},
    closePath() {},
    rect() {},
    clip() {},
    arc() {},
    moveTo() {},
    lineTo() {},
    bezierCurveTo() {},
    stroke() {},
    fill() {},
  };
  return {
    context: context as unknown as CanvasRenderingContext2D,
    pixels,
    texts,
    outlines,
    fills,
    pixel: (x, y) => pixels[y * width + x] ?? 0,
  };
}
