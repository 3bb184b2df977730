import { lab, rgb } from 'd3-color';
import { interpolateRgb } from 'd3-interpolate';
import { describe, expect, it } from 'vitest';
import {
  type Colours,
  contrast,
  cssVariables,
  forcedTheme,
  kAgeSteps,
  kDarkContrastTheme,
  kDarkTheme,
  kFullSteps,
  kLightContrastTheme,
  kLightTheme,
  kSeriesColours,
  type Theme,
} from '../../../web/src/dom/palette.ts';

const themes: readonly Theme[] = [kDarkTheme, kLightTheme, kDarkContrastTheme, kLightContrastTheme];

/** How a colour looks without one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1, on linear light. */
const kMatrices = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
} as const;

function seenWith(kind: keyof typeof kMatrices, colour: string): string {
  const { r, g, b } = rgb(colour);
  const linear = [r, g, b].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const m = kMatrices[kind];
  const mixed = [0, 1, 2].map((row) => {
    const sum = [0, 1, 2].reduce((total, column) => total + (m[row * 3 + column] ?? 0) * (linear[column] ?? 0), 0);
    const share = Math.min(Math.max(sum, 0), 1);
    return 255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055);
  });
  return rgb(mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0).formatHex();
}

/** Distance in CIELAB; about 2 can just be told apart side by side, 20 at a glance. */
function apart(one: string, other: string): number {
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b);
}

const kGroups: readonly (readonly [keyof Colours, keyof Colours])[] = [
  ['inUse', 'node'],
  ['inUse', 'accent'],
  ['inUse', 'free'],
  ['inUse', 'header'],
  ['inUse', 'cached'],
  ['inUse', 'cachedStripe'],
  ['inUseOld', 'cachedStripe'],
  ['cached', 'cachedStripe'],
  ['cachedStripe', 'hatch'],
  ['cachedStripe', 'free'],
  ['cachedStripe', 'node'],
  ['cachedStripe', 'accent'],
  ['cachedStripe', 'ok'],
  ['inUseOld', 'free'],
  ['node', 'poolGround'],
  ['node', 'nodeTouched'],
  ['node', 'accent'],
  ['accent', 'ok'],
  ['accent', 'bg'],
];

describe.each(themes.map((theme) => [theme.name, theme] as const))(
  'the %s theme',
  (_name, { css, ageColours, ageLabels, agePixels, blockLabels }) => {
    it('text can be read on every ground it stands on', () => {
      for (const ground of [css.bg, css.panel, css.raised, css.segment, css.free]) {
        for (const text of [css.text, css.dim, css.accent, css.ok, css.error]) {
          expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        }
      }
      expect(contrast(css.onAccent, css.accent)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(css.text, css.cached)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(css.onNode, css.node)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(css.poolGround, css.nodeTouched)).toBeGreaterThanOrEqual(4.5);
    });

    it('labels can be read on chunks of every age', () => {
      for (let step = 0; step < kAgeSteps; step++) {
        expect(contrast(ageLabels[step] ?? '', ageColours[step] ?? ''), `step ${step}`).toBeGreaterThanOrEqual(4.5);
      }
    });

    it('labels can be read on pool blocks however full', () => {
      const fullness = interpolateRgb(css.poolGround, css.node);
      for (let step = 0; step <= kFullSteps; step++) {
        expect(contrast(blockLabels[step] ?? '', fullness(step / kFullSteps)), `step ${step}`).toBeGreaterThanOrEqual(
          4,
        );
      }
    });

    it('edges of fields have a contrast of 3 to what they lie on', () => {
      for (const ground of [css.bg, css.panel]) expect(contrast(css.control, ground)).toBeGreaterThanOrEqual(3);
    });

    it('the younger a chunk, the further it is from the ground', () => {
      const distances = ageColours.map((colour) => Math.abs(lab(colour).l - lab(css.bg).l));
      for (let step = 1; step < kAgeSteps; step++) {
        expect(distances[step]).toBeLessThanOrEqual(distances[step - 1] ?? 0);
      }
      expect(new Set(ageColours).size).toBeGreaterThan(16);
      expect((distances[0] ?? 0) - (distances[kAgeSteps - 1] ?? 0)).toBeGreaterThan(20);
    });

    it('meanings stay apart for eyes with two kinds of cones', () => {
      for (const [one, other] of kGroups) {
        expect(apart(css[one], css[other]), `${one} ${other}`).toBeGreaterThan(18);
        for (const kind of ['protanopia', 'deuteranopia'] as const) {
          const distance = apart(seenWith(kind, css[one]), seenWith(kind, css[other]));
          expect(distance, `${one} ${other} ${kind}`).toBeGreaterThan(12);
        }
      }
    });

    it('the series of a chart stay apart, and from the ground', () => {
      kSeriesColours.forEach((one, index) => {
        for (const ground of [css.bg, css.panel]) expect(contrast(css[one], ground), one).toBeGreaterThanOrEqual(3);
        for (const other of kSeriesColours.slice(index + 1)) {
          expect(apart(css[one], css[other]), `${one} ${other}`).toBeGreaterThan(30);
          for (const kind of ['protanopia', 'deuteranopia'] as const) {
            const distance = apart(seenWith(kind, css[one]), seenWith(kind, css[other]));
            expect(distance, `${one} ${other} ${kind}`).toBeGreaterThan(18);
          }
        }
      });
    });

    it('pixels are the colours, in the byte order of ImageData', () => {
      const bytes = new Uint8Array(agePixels.buffer, 0, 4);
      const { r, g, b } = rgb(css.inUse);
      expect([...bytes]).toEqual([r, g, b, 255]);
    });
  },
);

describe('custom properties', () => {
  it('are the same names in every theme, dashed', () => {
    const names = (text: string) => [...text.matchAll(/--hg-[\w-]+(?=:)/g)].map((match) => match[0]);
    const dark = names(cssVariables('dark'));
    expect(names(cssVariables('light'))).toEqual(dark);
    expect(names(cssVariables('forced'))).toEqual(dark);
    expect(dark).toEqual(expect.arrayContaining(['--hg-in-use', '--hg-node-touched', '--hg-bg', '--hg-mono']));
  });

  it('in forced colours are system colours only', () => {
    const values = [...cssVariables('forced').matchAll(/--hg-(?!font|mono)[\w-]+: ([^;]+);/g)].map((match) => match[1]);
    for (const value of values) {
      expect(value).toMatch(/^(Canvas|CanvasText|LinkText|GrayText|ButtonBorder|Highlight|HighlightText)$/);
    }
  });
});

describe('the forced theme', () => {
  it('draws with what the system says its colours are', () => {
    const asked: string[] = [];
    const theme = forcedTheme((keyword) => {
      asked.push(keyword);
      return keyword === 'Canvas' ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 0)';
    });
    expect(theme.css.bg).toBe('#000000');
    expect(theme.css.text).toBe('#ffff00');
    expect(theme.pixel.text).toBe(0xff00ffff);
    expect(new Set(asked)).toContain('Highlight');
  });
});
