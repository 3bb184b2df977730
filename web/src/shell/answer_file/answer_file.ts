// Saves the answer that is open: as a picture of its moment, or as an animation that leads up to it and begins again. The page stays
// where it is meanwhile.
//
//   evidence ──▶ momentsOf ──▶ a frame each ──▶ drawn as the map is ──▶ loopingGif
//
//   AF1  It begins where the first block was born that the answer is about, or the events of its own; and ends at the answer's moment,
//        with what it lights up.
//   AF2  It runs for less than three seconds, then the answer stands for two.

import { seq } from '../../base/brand.ts';
import { type GifPicture, loopingGif } from '../../dom/looping_gif.ts';
import { drawMapPicture } from '../../map/map_frame_picture.ts';
import { contextOf } from '../../map/map_picture.ts';
import type { MapPicture } from '../../map/map_svg.ts';
import type { Session } from '../../moment/session.ts';
import type { Store } from '../../moment/state.ts';
import type { ShownAnswer } from '../../protocol/answers.ts';
import { momentOf } from '../ask/lit.ts';
import { drawAnswer } from './answer_picture.ts';

const kPictures = 30;
const kMilliseconds = 90; // of each
const kAnswerMilliseconds = 2000;
const kLeastEvents = 500; // AF1: fewer show nothing
const kClipWidth = 960; // pixels
const kPictureWidth = 2400;

export interface AnswerFileOptions {
  readonly store: Store;
  readonly session: Pick<Session, 'frame' | 'progress'>;
  readonly answer: () => ShownAnswer | undefined;
  /** What the map shows now. */
  readonly map: () => MapPicture;
  readonly title: () => string;
}

export function createAnswerFile({ store, session, answer, map, title }: AnswerFileOptions) {
  /** Of a moment; undefined: of the one on the screen. */
  async function pictureAt(event: number | undefined, sentence: string, most: number): Promise<HTMLCanvasElement> {
    const picture = map();
    const { colour, heap, cursor } = store.get();
    const at = { to: 'seq', seq: seq(event ?? cursor) } as const;
    const request = { at, map: picture.frame.viewport, colour, heap, parts: {}, timeline: undefined };
    const frame = event === undefined ? undefined : (await session.frame(request))?.map;
    const shown = { sentence, title: title(), event: event ?? cursor, head: session.progress().head };
    return drawAnswer({ ...shown, map: drawMapPicture(picture, frame), theme: picture.theme }, most);
  }

  return {
    hasAnswer: () => answer() !== undefined,
    async png(): Promise<Blob> {
      const canvas = await pictureAt(undefined, answer()?.sentence ?? '', kPictureWidth);
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
      if (blob === null) throw new Error('The browser makes no picture of the answer: it may be short of memory.');
      return blob;
    },
    async gif(): Promise<Blob> {
      const open = answer();
      if (open === undefined) throw new Error('No answer is open.');
      const pictures: GifPicture[] = [];
      for (const event of momentsOf(open))
        pictures.push(pixelsOf(await pictureAt(event, open.sentence, kClipWidth), kMilliseconds));
      pictures.push(pixelsOf(await pictureAt(undefined, open.sentence, kClipWidth), kAnswerMilliseconds));
      return new Blob([loopingGif(pictures)], { type: 'image/gif' });
    },
  };
}

/** AF1: evenly, without the last one. */
export function momentsOf(answer: Pick<ShownAnswer, 'ask' | 'event' | 'evidence'>): readonly number[] {
  const { blocks, from_event } = answer.evidence;
  const end = momentOf(answer);
  const first = Math.min(from_event, ...blocks.map(({ born_event }) => born_event), end - kLeastEvents);
  const begin = Math.max(0, first);
  const count = Math.min(kPictures, end - begin);
  return Array.from({ length: count }, (_, nth) => Math.round(begin + ((end - begin) * nth) / count));
}

function pixelsOf(canvas: HTMLCanvasElement, milliseconds: number): GifPicture {
  const { width, height } = canvas;
  return { data: contextOf(canvas).getImageData(0, 0, width, height).data, width, height, milliseconds };
}
