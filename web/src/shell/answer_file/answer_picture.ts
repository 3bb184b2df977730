// An answer as a picture: its sentence, the map that shows what it is about, and the moment.
//
//   ┌──────────────────────────────────────────────┐
//   │ At event 73,194 the program asked for 1.01 …  │
//   │ ┌ map ──────────────────────────────────────┐ │
//   │ └───────────────────────────────────────────┘ │
//   │ SQLite · event 23,512 ━━━━━━━━━━━━━━━━━○───── │
//   └──────────────────────────────────────────────┘

import { formatCount } from '../../base/format.ts';
import type { Theme } from '../../dom/palette.ts';
import { contextOf } from '../../map/map_picture.ts';

const kEdge = 16; // pixels
const kLine = 22;
const kFoot = 40;
const kFootText = 320;

export interface AnswerPicture {
  readonly sentence: string;
  /** Of the source. */
  readonly title: string;
  readonly map: HTMLCanvasElement;
  readonly event: number;
  readonly head: number; // of the trace
  readonly theme: Theme;
}

/** `most`: the largest width, in pixels; a wider map is made smaller. */
export function drawAnswer(shown: AnswerPicture, most: number): HTMLCanvasElement {
  const { map, theme } = shown;
  const scale = Math.min(1, (most - 2 * kEdge) / map.width);
  const [width, height] = [Math.round(map.width * scale), Math.round(map.height * scale)];
  const canvas = document.createElement('canvas');
  canvas.width = width + 2 * kEdge;
  const font = `15px ${theme.font}`;
  const lines = wrapped(contextOf(canvas), font, shown.sentence, width);
  const top = kEdge + kLine * lines.length + kEdge / 2;
  canvas.height = top + height + kFoot;
  const context = contextOf(canvas);
  context.fillStyle = theme.css.bg;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = theme.css.text;
  context.font = font;
  context.textBaseline = 'middle';
  for (const [nth, line] of lines.entries()) context.fillText(line, kEdge, kEdge + kLine * (nth + 0.5));
  context.drawImage(map, kEdge, top, width, height);
  drawFoot(context, shown, top + height + kFoot / 2, width);
  return canvas;
}

function drawFoot(context: CanvasRenderingContext2D, shown: AnswerPicture, y: number, width: number): void {
  const { css, font } = shown.theme;
  context.font = `12px ${font}`;
  context.fillStyle = css.dim;
  const space = Math.min(kFootText, width / 2);
  context.fillText(`${shown.title} · event ${formatCount(shown.event)}`, kEdge, y, space - kEdge);
  const left = kEdge + space;
  const at = left + ((width - space) * shown.event) / Math.max(1, shown.head);
  context.fillStyle = css.line;
  context.fillRect(left, y - 1, width - space, 2);
  context.fillStyle = css.accent;
  context.fillRect(left, y - 1, at - left, 2);
  context.fillRect(Math.round(at) - 2, y - 5, 4, 10);
}

function wrapped(context: CanvasRenderingContext2D, font: string, text: string, width: number): readonly string[] {
  context.font = font;
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll('`', '').split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
