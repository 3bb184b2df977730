import { describe, expect, it } from 'vitest';
import { addr } from '../../../web/src/base/brand.ts';
import { kDarkTheme as theme } from '../../../web/src/dom/palette.ts';
import { drawEnd } from '../../../web/src/map/draw_end.ts';
import { drawMap } from '../../../web/src/map/draw_map.ts';
import { layoutFor, pointOf, transformOf } from '../../../web/src/map/map_geometry.ts';
import { mapSvg } from '../../../web/src/map/map_svg.ts';
import type { MapView } from '../../../web/src/map/map_view.ts';
import { kNoNames } from '../../../web/src/map/pool_names.ts';
import { mixPixels } from '../../../web/src/map/row_raster.ts';
import { ChunkState, type MapFrame, NodeState } from '../../../web/src/protocol/map_frames.ts';
import { type Drawn, fakeCanvas } from './fake_canvas.ts';
import { type ChunkGiven, emptyRuns, frameOf, seeded } from './map_frames.ts';

const layout = layoutFor({ width: 622, height: 320 }); // text 512 pixels wide

function draw(
  frame: MapFrame,
  bytesPerRow: number,
  origin = 0x1000,
  ratio = 1,
  names = kNoNames,
): { drawn: Drawn; view: MapView } {
  const drawn = fakeCanvas(layout.width * ratio, layout.height * ratio);
  const view: MapView = { layout, transform: transformOf(origin, bytesPerRow), ratio };
  drawMap(drawn.context, frame, view, theme, names);
  return { drawn, view };
}

/** The pixel over an address, `down` CSS pixels below its row's top. */
function pixelAt({ drawn, view }: { drawn: Drawn; view: MapView }, address: number, down = 12): number {
  const point = pointOf(view.layout, view.transform, address);
  return drawn.pixel(Math.round(point.x * view.ratio), Math.round((point.y + down) * view.ratio));
}

const age = (value: number): number => theme.agePixels[value >> 3] ?? 0;

it('the text is 512 pixels wide, so that a byte is a whole number of pixels below', () => {
  expect(layout.textWidth).toBe(512);
});

describe('chunks', () => {
  const frame = frameOf({
    chunks: [
      { at: 0x1000, size: 64, age: 0 },
      { at: 0x1040, size: 64, state: ChunkState.free },
      { at: 0x1080, size: 64, age: 255 },
      { at: 0x10c0, size: 128 },
      { at: 0x1140, size: 0xec0, state: ChunkState.top },
    ],
  });
  const picture = draw(frame, 256);

  it('in use are blue by age, from header to end', () => {
    expect(pixelAt(picture, 0x1020)).toBe(age(0));
    expect(pixelAt(picture, 0x103f)).toBe(age(0));
    expect(pixelAt(picture, 0x10a0)).toBe(age(255));
  });

  it('begin with a header as wide as its word', () => {
    expect(pixelAt(picture, 0x1080)).toBe(theme.pixel.header);
    expect(pixelAt(picture, 0x1083)).toBe(theme.pixel.header);
    expect(pixelAt(picture, 0x1084)).toBe(age(255));
  });

  it('that are free are striped, and in no other way than by the hatch', () => {
    const seen = new Set<number>();
    for (let byte = 0x1048; byte < 0x1080; byte++) for (let y = 0; y < 20; y++) seen.add(pixelAt(picture, byte, y));
    expect(seen).toEqual(new Set([theme.pixel.free, theme.pixel.hatch]));
  });

  it('that malloc caches are striped the other way, in colours of their own', () => {
    const cached = frameOf({
      chunks: [
        { at: 0x1000, size: 128, state: ChunkState.cached },
        { at: 0x1080, size: 128, state: ChunkState.free },
      ],
    });
    const both = draw(cached, 256);
    const stripes = (from: number, stripe: number) => {
      const found: [number, number][] = [];
      for (let byte = from; byte < from + 56; byte++)
        for (let y = 3; y < 20; y++) if (pixelAt(both, byte, y) === stripe) found.push([2 * byte, y]);
      return found;
    };
    const seen = new Set<number>();
    for (let byte = 0x1010; byte < 0x1080; byte++) for (let y = 0; y < 20; y++) seen.add(pixelAt(both, byte, y));
    expect(seen).toEqual(new Set([theme.pixel.cached, theme.pixel.cachedStripe]));
    const lean = (found: readonly [number, number][], by: 1 | -1) =>
      found.filter(([x, y]) => found.some(([u, v]) => u === x + 2 * by && v === y + 2)).length / found.length;
    expect(lean(stripes(0x1020, theme.pixel.cachedStripe), 1)).toBeGreaterThan(0.7);
    expect(lean(stripes(0x10a0, theme.pixel.hatch), -1)).toBeGreaterThan(0.7);
  });

  it('that wrap go on in the next row', () => {
    expect(pixelAt(picture, 0x10f0)).toBe(age(0));
    expect(pixelAt(picture, 0x1100)).toBe(age(0));
    expect(pixelAt(picture, 0x113f)).toBe(age(0));
  });

  it('of the top are dashed around', () => {
    const dashed = picture.drawn.outlines.filter((outline) => outline.dash === '4 3');
    expect(dashed.length).toBeGreaterThan(1);
    expect(dashed[0]?.width).toBe(((256 - 64) / 256) * 512 - 1);
  });

  it('have no hairlines where they are too narrow to bear them', () => {
    const chunks: ChunkGiven[] = Array.from({ length: 256 }, (_, index) => ({ at: 0x1000 + index * 16, size: 16 }));
    const far = draw(frameOf({ chunks }), 4096); // two pixels each
    const seen = new Set<number>();
    for (let x = 0; x < 512; x++) seen.add(far.drawn.pixel(layout.left + x, layout.top + 12));
    expect(seen).toEqual(new Set([age(0)]));
  });

  it('that share a pixel are averaged by area', () => {
    const chunks: ChunkGiven[] = Array.from({ length: 512 }, (_, index) => ({
      at: 0x1000 + index * 16,
      size: 16,
      age: index % 2 === 0 ? 0 : 255,
    }));
    const far = draw(frameOf({ chunks, size: 0x2000 }), 65536, 0); // 128 bytes a pixel: eight chunks
    const mean = mixPixels(age(0), age(255), 0.5);
    const pixel = pixelAt(far, 0x1800);
    for (const shift of [0, 8, 16]) {
      expect(Math.abs(((pixel >>> shift) & 255) - ((mean >>> shift) & 255))).toBeLessThanOrEqual(1);
    }
  });
});

describe('memory', () => {
  const frame = frameOf({ chunks: [{ at: 0x1000, size: 0x1000 }], memory: 0x3000 });

  it('outside of the heap is not the same as no memory', () => {
    const picture = draw(frame, 0x1000, 0);
    expect(pixelAt(picture, 0x2800)).not.toBe(theme.pixel.bg);
    expect(pixelAt(picture, 0x2800)).not.toBe(0);
    expect(pixelAt(picture, 0x3800)).toBe(0); // not drawn at all
  });

  it('has an address at each of its rows and nowhere else', () => {
    const { drawn } = draw(frame, 0x1000, 0);
    const lower = drawn.texts.filter(({ text, x }) => x < layout.left && text.startsWith('_')).map(({ text }) => text);
    expect(lower).toEqual(['_0000', '_1000', '_2000']);
  });

  it('tells where it ends once, with the address, in the first row without any', () => {
    const { drawn } = draw(frame, 0x1000, 0);
    const top = layout.top + 3 * layout.pitch;
    const below = drawn.texts
      .filter(({ y }) => y > top && y < top + layout.pitch)
      .map(({ text }) => text.replaceAll('\u202f', ' '));
    expect(below).toEqual(['0x0000_3000', 'memory ends here, 12 KiB']);
    expect(drawn.fills.filter(({ y, x }) => y >= top && x >= layout.left)).toEqual([]); // no lines for rows that are not there
  });

  it('tells it also beside what lies over the lower edge, and not below that', () => {
    const said = (belowFrom: number) => {
      const low = { width: 622, height: layout.top + 4 * layout.pitch, below: 40, belowFrom };
      const drawn = fakeCanvas(low.width, low.height);
      drawEnd(drawn.context, frame, { layout: layoutFor(low), transform: transformOf(0, 0x1000), ratio: 1 }, theme);
      return drawn.texts.map(({ text }) => text.replaceAll('\u202f', ' '));
    };
    expect(said(400)).toEqual(['0x0000_3000', 'memory ends here, 12 KiB']);
    expect(said(200)).toEqual(['0x0000_3000']);
  });

  it('tells no end where it goes on', () => {
    const whole = frameOf({ chunks: [], memory: 2 ** 32 });
    for (const { drawn } of [draw(frame, 0x100), draw(whole, 2 ** 30, 0)])
      expect(drawn.texts.filter(({ text }) => text.includes('memory ends'))).toEqual([]);
  });

  it('above address 0 is empty', () => {
    const { drawn } = draw(frame, 0x1000, -0x2000);
    expect(drawn.pixel(layout.left + 5, layout.top + 12)).toBe(0);
    expect(drawn.texts.some(({ text }) => text === '0x0000')).toBe(true);
  });
});

describe('pool blocks', () => {
  const block = { at: 0x1004, size: 0x7c, pool: 3, freeNodes: 1, nodes: 3 };
  const chunks = [
    { at: 0x1000, size: 0x80, state: ChunkState.poolBlock },
    { at: 0x1080, size: 0xf80 },
  ];

  it('show their nodes by state, inside an outline', () => {
    const frame = frameOf({
      chunks,
      blocks: [block],
      nodes: [
        { at: 0x1014, size: 32, state: NodeState.inUse },
        { at: 0x1034, size: 32, state: NodeState.free },
        { at: 0x1054, size: 32, state: NodeState.lastTouched },
      ],
    });
    const picture = draw(frame, 256);
    expect(pixelAt(picture, 0x1020)).toBe(theme.pixel.node);
    expect(pixelAt(picture, 0x1040)).toBe(theme.pixel.nodeFree);
    expect(pixelAt(picture, 0x1060)).toBe(theme.pixel.nodeTouched);
    expect(pixelAt(picture, 0x1020, 0)).toBe(theme.pixel.pool);
    expect(pixelAt(picture, 0x1020, 2)).toBe(theme.pixel.poolGround);
    expect(pixelAt(picture, 0x10a0, 0)).toBe(age(0));
  });

  it('without nodes in view are as violet as they are full', () => {
    const picture = draw(frameOf({ chunks, blocks: [block] }), 256);
    expect(pixelAt(picture, 0x1040)).toBe(mixPixels(theme.pixel.poolGround, theme.pixel.node, 2 / 3));
    expect(picture.drawn.texts.map(({ text }) => text)).toContain('pool #3');
  });

  it('are filled so block by block: the nodes of one may be seen beside another whose nodes are too narrow', () => {
    const other = { at: 0x1084, size: 0x7c, pool: 4, freeNodes: 0, nodes: 100 };
    const frame = frameOf({
      chunks: [chunks[0] ?? { at: 0, size: 0 }, { at: 0x1080, size: 0x80, state: ChunkState.poolBlock }],
      blocks: [block, other],
      nodes: [{ at: 0x1014, size: 32, state: NodeState.free }],
    });
    const picture = draw(frame, 256);
    expect(pixelAt(picture, 0x1020)).toBe(theme.pixel.nodeFree);
    expect(pixelAt(picture, 0x1060)).toBe(theme.pixel.poolGround);
    expect(pixelAt(picture, 0x10c0)).toBe(theme.pixel.node);
  });

  it('are called what they are', () => {
    const picture = draw(frameOf({ chunks, blocks: [block] }), 256, 0x1000, 1, new Map([[3, 'span of class 40']]));
    expect(picture.drawn.texts.map(({ text }) => text)).toContain('span of class 40');
  });
});

describe('cells', () => {
  const frame = frameOf({
    chunks: undefined,
    size: 0x4000,
    bytesPerRow: 0x1000,
    rows: 2,
    cells: {
      cellsPerRow: 4,
      inUse: Uint8Array.of(0, 0, 0, 0, 255, 0, 0, 0),
      cached: Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 0),
      pool: Uint8Array.of(0, 0, 0, 0, 0, 255, 0, 0),
      free: Uint8Array.of(0, 0, 0, 0, 0, 0, 255, 0),
      top: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 255),
      age: new Uint8Array(8),
    },
  });

  it('have the colour of what fills them', () => {
    const picture = draw(frame, 0x1000);
    expect(pixelAt(picture, 0x1200)).toBe(age(0));
    const before = draw(frame, 0x1000, 0);
    const woven = Array.from({ length: 16 }, (_, nth) => pixelAt(before, 0x0e00 + nth * 8));
    expect(new Set(woven)).toEqual(
      new Set([mixPixels(theme.pixel.cached, theme.pixel.cachedStripe, 0.3), theme.pixel.cachedStripe]),
    );
    expect(pixelAt(picture, 0x1600)).toBe(theme.pixel.node);
    expect([theme.pixel.free, theme.pixel.hatch]).toContain(pixelAt(picture, 0x1a00));
    expect(pixelAt(picture, 0x1e00)).toBe(theme.pixel.segment);
  });

  it('keep their addresses while the map is already at another zoom', () => {
    const picture = draw(frame, 0x800);
    expect(pixelAt(picture, 0x1200)).toBe(age(0));
    expect(pixelAt(picture, 0x1500)).toBe(theme.pixel.node);
    expect(pixelAt(picture, 0x1e00)).toBe(theme.pixel.segment);
  });

  it('that are mostly top are dashed', () => {
    const dashed = draw(frame, 0x1000).drawn.outlines.filter((outline) => outline.dash === '4 3');
    expect(dashed.map((outline) => outline.width)).toEqual([512 / 4 - 1]);
  });
});

describe('folds', () => {
  const folded = layoutFor({ width: 622, height: 320 }, emptyRuns([{ at: 0x1170, size: 0xe90 }]));
  const frame = frameOf({
    chunks: [
      { at: 0x1000, size: 0x170 },
      { at: 0x1170, size: 0xe90, state: ChunkState.free },
    ],
  });
  const view: MapView = { layout: folded, transform: transformOf(0x1000, 256), ratio: 1 };

  it('say how much is not shown, in one row without pixels of its own, and the next row goes on behind it', () => {
    const drawn = fakeCanvas(folded.width, folded.height);
    drawMap(drawn.context, frame, view, theme);
    const texts = drawn.texts.map(({ text }) => text.replaceAll('\u202f', ' '));
    expect(texts).toContain('▸ 3.50 KiB free');
    expect(texts.filter((text) => text === '3.64 KiB')).toHaveLength(1); // the chunk, where it begins
    const addresses = drawn.texts.filter(({ x }) => x < folded.left).map(({ text }) => text);
    expect(addresses.slice(0, 8)).toEqual(['0x0000', '_1000', '0x0000', '_1100', '0x0000', '_1200', '0x0000', '_2000']);
  });

  it('are in the picture as shapes too', () => {
    const overlay = {
      lit: undefined,
      memoryBytes: 0,
      letters: [],
      selected: undefined,
      hovered: undefined,
      focused: false,
      bytes: [],
    } as const;
    const measure = fakeCanvas(1, 1).context;
    const shown = { ...overlay, chain: undefined, changes: [], progress: 1 };
    const svg = mapSvg({ frame, view, theme, names: kNoNames, overlay: shown }, 'a map', measure);
    expect(svg.replaceAll('\u202f', ' ')).toContain('▸ 3.50 KiB free');
  });
});

it.each([
  [ChunkState.free, ['url(#hg-free)']],
  [ChunkState.cached, ['url(#hg-cached)']],
  [ChunkState.top, [theme.css.segment]],
  [ChunkState.poolBlock, [theme.css.poolGround]],
])('a chunk of state %i has its own fill in the picture as shapes', (state, wanted) => {
  const overlay = {
    lit: undefined,
    memoryBytes: 0,
    letters: [],
    selected: undefined,
    hovered: undefined,
    focused: false,
    bytes: [],
  };
  const shown = { ...overlay, chain: undefined, changes: [], progress: 1 } as const;
  const frame = frameOf({ chunks: [{ at: 0x1000, size: 0x1000, state }] });
  const view = { layout, transform: transformOf(0x1000, 256), ratio: 1 };
  const svg = mapSvg({ frame, view, theme, names: kNoNames, overlay: shown }, 'a map', fakeCanvas(1, 1).context);
  const fills = new Set(
    [...svg.slice(svg.indexOf('</defs>')).matchAll(/<path[^>]* fill="([^"]+)"/g)].map(([, fill]) => fill),
  );
  const states = ['url(#hg-free)', 'url(#hg-cached)', theme.css.segment, theme.css.poolGround];
  expect(states.filter((fill) => fills.has(fill))).toEqual(wanted);
});

describe('labels', () => {
  it('stand only in chunks that have room for them', () => {
    const { drawn } = draw(
      frameOf({
        chunks: [
          { at: 0x1000, size: 96 },
          { at: 0x1060, size: 16 },
          { at: 0x1070, size: 0xf90, state: ChunkState.top },
        ],
      }),
      256,
    );
    const inText = drawn.texts.filter(({ x }) => x >= layout.left).map(({ text }) => text.replace('\u202f', ' '));
    expect(inText).toEqual(['96 B', 'top 3.89 KiB']);
  });

  it('say once where bytes would be legible that they were not recorded, and nothing where they stand', () => {
    const wordsAt = (bytesPerRow: number, known: boolean): string[] => {
      const chunks = [
        { at: 0x1000, size: 200 },
        { at: 0x10c8, size: 192 },
      ];
      const bytes = known ? [{ from: addr(0x1000), values: new Uint8Array(392).fill(7) }] : undefined;
      return draw({ ...frameOf({ chunks, bytesPerRow }), bytes }, bytesPerRow).drawn.texts.map(({ text }) => text);
    };
    const said = (texts: readonly string[]) => texts.filter((text) => text.includes('was not recorded')).length;
    expect(said(wordsAt(16, false))).toBe(1);
    expect(said(wordsAt(16, true))).toBe(0);
    expect(said(wordsAt(256, false))).toBe(0);
  });

  it('are limited, however many chunks there are', () => {
    const random = seeded(3);
    const chunks: ChunkGiven[] = [];
    for (let at = 0x1000; chunks.length < 20_000; at += chunks.at(-1)?.size ?? 0) {
      chunks.push({ at, size: 16 + Math.floor(random() * 20) * 8 });
    }
    for (const zoom of [64, 1024, 65536]) {
      const { drawn } = draw(frameOf({ chunks, size: 0x400000, memory: 0x800000 }), zoom);
      expect(drawn.texts.length).toBeLessThan(600);
    }
  });

  it('give way to the words of a chunk where these are legible', () => {
    const { drawn } = draw(
      frameOf({
        chunks: [
          { at: 0x1004, size: 0x40 },
          { at: 0x1044, size: 0x40, state: ChunkState.free },
          { at: 0x1084, size: 0x40 },
        ],
      }),
      16,
    );
    const texts = drawn.texts.map(({ text }) => text);
    expect(texts).toContain('size 0x40 B0 P1 C1');
    expect(texts).toContain('size 0x40 B0 P1 C0');
    expect(texts).toContain('size 0x40 B0 P0 C1');
    expect(texts).toEqual(expect.arrayContaining(['next free', 'prev free', 'foot 0x40']));
  });
});

it('device pixels are used where there are more than one to a CSS pixel', () => {
  const frame = frameOf({ chunks: [{ at: 0x1000, size: 0x100 }] });
  const picture = draw(frame, 0x100, 0x1000, 2);
  expect(pixelAt(picture, 0x1080)).toBe(age(0));
  expect(picture.drawn.pixel((layout.left + 400) * 2 + 1, (layout.top + 20) * 2 + 1)).toBe(age(0));
});
