// As much of a canvas context as the map's drawing uses, which writes SVG instead: so a saved picture has the very labels,
// lines and arrows of the one on the screen, and none is drawn twice in two ways.
//
//   drawLabels, drawWords, drawGutter, drawOverlay ──▶ svgContext ──▶ <text>, <rect>, <path>
//
//   svg.1  Pixels (putImageData) have no place here: rows are drawn as shapes by map_svg.ts.
//   svg.2  A clip lasts until restore(), as on a canvas; clips are not nested.

const kRound = 100; // two digits behind the point are less than a pixel of any screen

const round = (value: number): number => Math.round(value * kRound) / kRound;

const kEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => kEscapes[sign] ?? sign);

/** A pixel as ImageData has it, as CSS text: red, green, blue, from the lowest byte. */
export const cssOf = (pixel: number): string =>
  `#${[pixel, pixel >>> 8, pixel >>> 16].map((value) => (value & 0xff).toString(16).padStart(2, '0')).join('')}`;

/** `measure`: a real context, for the widths of texts. */
export function svgContext(measure: CanvasRenderingContext2D) {
  const parts: string[] = [];
  let path = '';
  let dash = '';
  let clips = 0;
  let open = false; // a group that is clipped

  const paint = (): string => (context.globalAlpha === 1 ? '' : ` opacity="${round(context.globalAlpha)}"`);
  const stroke = (): string =>
    ` fill="none" stroke="${context.strokeStyle}" stroke-width="${round(context.lineWidth)}"${dash}${paint()}`;
  const box = (x: number, y: number, width: number, height: number): string =>
    `x="${round(x)}" y="${round(y)}" width="${round(Math.max(width, 0))}" height="${round(Math.max(height, 0))}"`;

  const context = {
    fillStyle: '#000',
    strokeStyle: '#000',
    lineWidth: 1,
    globalAlpha: 1,
    font: '11px monospace',
    textBaseline: 'alphabetic',
    textAlign: 'left',
    setTransform(): void {},
    clearRect(): void {},
    setLineDash(lengths: readonly number[]): void {
      dash = lengths.length === 0 ? '' : ` stroke-dasharray="${lengths.join(' ')}"`;
    },
    measureText(text: string): TextMetrics {
      measure.font = context.font;
      return measure.measureText(text);
    },
    fillRect(x: number, y: number, width: number, height: number): void {
      parts.push(`<rect ${box(x, y, width, height)} fill="${context.fillStyle}"${paint()}/>`);
    },
    strokeRect(x: number, y: number, width: number, height: number): void {
      parts.push(`<rect ${box(x, y, width, height)}${stroke()}/>`);
    },
    fillText(text: string, x: number, y: number): void {
      const [size = '11px', ...family] = context.font.replace(/^(bold|\d00) /, '').split(' ');
      const weight = /^(bold|\d00) /.exec(context.font)?.[1];
      const anchor = { center: 'middle', right: 'end', end: 'end' }[context.textAlign];
      parts.push(
        `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-family="${escapeXml(family.join(' '))}" fill="${context.fillStyle}"` +
          `${weight === undefined ? '' : ` font-weight="${weight}"`}${anchor === undefined ? '' : ` text-anchor="${anchor}"`}` +
          `${context.textBaseline === 'middle' ? ' dominant-baseline="central"' : ''}${paint()}>${escapeXml(text)}</text>`,
      );
    },
    beginPath(): void {
      path = '';
    },
    moveTo(x: number, y: number): void {
      path += `M${round(x)} ${round(y)}`;
    },
    lineTo(x: number, y: number): void {
      path += `L${round(x)} ${round(y)}`;
    },
    bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void {
      path += `C${round(ax)} ${round(ay)} ${round(bx)} ${round(by)} ${round(x)} ${round(y)}`;
    },
    rect(x: number, y: number, width: number, height: number): void {
      path += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
    },
    /** Whole circles only: the map draws no other arc. */
    arc(x: number, y: number, radius: number): void {
      const across = round(radius * 2);
      const r = round(radius);
      path += `M${round(x - radius)} ${round(y)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 ${-across} 0z`;
    },
    closePath(): void {
      path += 'z';
    },
    fill(): void {
      parts.push(`<path d="${path}" fill="${context.fillStyle}"${paint()}/>`);
    },
    stroke(): void {
      parts.push(`<path d="${path}"${stroke()}/>`);
    },
    save(): void {},
    clip(): void {
      const id = `hg-clip-${clips++}`;
      parts.push(`<clipPath id="${id}"><path d="${path}"/></clipPath><g clip-path="url(#${id})">`);
      open = true;
    },
    restore(): void {
      if (open) parts.push('</g>');
      open = false;
    },
  };
  return {
    /** For the draw functions, which use no more of a context than there is. */
    context: context as unknown as CanvasRenderingContext2D,
    text: (): string => parts.join('\n'),
  };
}
