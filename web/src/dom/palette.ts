// Colours by meaning, the one place where a colour is typed. A Theme is made once (and again when the visitor changes
// it) and handed to every draw function; the page's CSS gets the same values as custom properties.
// Over 300 lines: every colour of every theme is typed here, and nowhere else.
//
//   blue        in use: the further from the ground, the younger
//   hatched     free
//   teal        cached by malloc: striped the other way, for it is in use to its neighbours only
//   hairline    header word (lightest on dark, darkest on light)
//   violet      pool block, its nodes; lighter (light theme: darker) for the last touched
//   dashed      top
//   amber       selection and links         green   verified, marks        red   error only
//   series 1-4  ways of doing the same in the charts of experiments, never in the map; a chart names each bar and line
//   group 0-7   in use, when the visitor colours by thread or call site: group_colours.ts; the label says which
//
//   Y1  Two meanings never differ by hue alone: hatch, dash, outline, height or label say it too.
//   Y2  Blue, violet, teal, amber and green stay apart for protanopes and deuteranopes; text has a contrast of 4.5 or more.
//       Both are tested.
//   Y3  In forced colours every value is one of the visitor's system colours.

import { rgb } from 'd3-color';
import { interpolateLab, interpolateRgb } from 'd3-interpolate';

/** Colours as CSS text. */
export interface Colours {
  readonly bg: string; // the page, and memory outside every segment
  readonly panel: string; // one step up
  readonly raised: string; // fields, cards, hovered rows
  readonly line: string; // one-pixel lines between things
  readonly control: string; // edges of fields and buttons: contrast 3 to the ground
  readonly text: string;
  readonly dim: string; // secondary text
  readonly accent: string; // amber as text and line
  readonly onAccent: string; // text on an amber fill
  readonly inUse: string; // young
  readonly inUseOld: string;
  readonly onInUse: string; // label on a young chunk
  readonly onInUseOld: string;
  readonly free: string; // ground of the hatch
  readonly hatch: string;
  readonly cached: string; // ground of what malloc caches
  readonly cachedStripe: string;
  readonly header: string;
  readonly pool: string; // outline of a block
  readonly poolGround: string; // inside a block, between nodes
  readonly node: string;
  readonly onNode: string;
  readonly nodeFree: string;
  readonly nodeTouched: string;
  readonly top: string; // its dashes
  readonly segment: string; // ground of a segment's own words, and of the top
  readonly ok: string;
  readonly error: string;
  readonly series1: string;
  readonly series2: string;
  readonly series3: string;
  readonly series4: string;
  readonly group0: string;
  readonly group1: string;
  readonly group2: string;
  readonly group3: string;
  readonly group4: string;
  readonly group5: string;
  readonly group6: string;
  readonly group7: string;
}

/** Series of a chart that have a colour of their own; more begin again, with another texture or line. */
export const kSeriesColours = [
  'series1',
  'series2',
  'series3',
  'series4',
] as const satisfies readonly (keyof Colours)[];

export type ThemeName = 'dark' | 'light' | 'dark-contrast' | 'light-contrast' | 'forced';

const kDark: Colours = {
  bg: '#0d1014',
  panel: '#12161c',
  raised: '#191e26',
  line: '#232a33',
  control: '#667180',
  text: '#e4e8ee',
  dim: '#8f9aa8',
  accent: '#ffb454',
  onAccent: '#1d1204',
  inUse: '#45b5ea',
  inUseOld: '#2d5578',
  onInUse: '#000000',
  onInUseOld: '#ffffff',
  free: '#12161c',
  hatch: '#29313b',
  cached: '#0f4a40',
  cachedStripe: '#3cc7a8',
  header: '#e8f1f8',
  pool: '#ab8df0',
  poolGround: '#1b1430',
  node: '#8d6cd8',
  onNode: '#0d0817',
  nodeFree: '#261c40',
  nodeTouched: '#ddd0ff',
  top: '#56616e',
  segment: '#0f1318',
  ok: '#7ee08a',
  error: '#ff7a72',
  series1: '#56b4e9',
  series2: '#e8d96a',
  series3: '#1f9e7e',
  series4: '#d8653a',
  group0: '#3a4552',
  group1: '#56b4e9',
  group2: '#e8d96a',
  group3: '#1f9e7e',
  group4: '#d8653a',
  group5: '#c9d3de',
  group6: '#3f74d1',
  group7: '#d77fb0',
};

const kLight: Colours = {
  bg: '#f7f8fa',
  panel: '#ffffff',
  raised: '#eef1f5',
  line: '#d8dde4',
  control: '#7b8694',
  text: '#171d25',
  dim: '#545f6c',
  accent: '#985000',
  onAccent: '#ffffff',
  inUse: '#0a75b7',
  inUseOld: '#a9cbe4',
  onInUse: '#ffffff',
  onInUseOld: '#000000',
  free: '#f1f3f6',
  hatch: '#cdd4dc',
  cached: '#c9ecdf',
  cachedStripe: '#0f7a5f',
  header: '#0b1a27',
  pool: '#6a3fc4',
  poolGround: '#ece5fb',
  node: '#5d33ad',
  onNode: '#ffffff',
  nodeFree: '#d9ccf5',
  nodeTouched: '#1c0747',
  top: '#87929f',
  segment: '#fcfdfe',
  ok: '#0a5c22',
  error: '#b3201a',
  series1: '#0a75b7',
  series2: '#a88300',
  series3: '#00694f',
  series4: '#a03208',
  group0: '#cfd7e0',
  group1: '#2b8cc4',
  group2: '#a88300',
  group3: '#00694f',
  group4: '#a03208',
  group5: '#5d6874',
  group6: '#1f4e9c',
  group7: '#a8487f',
};

/** For who asks the system for more contrast: the same colours, apart from a plain ground; text and lines stand out. */
const kDarkContrast: Colours = {
  ...kDark,
  bg: '#000000',
  panel: '#000000',
  raised: '#1c1f24',
  line: '#828d9a',
  control: '#c3ccd6',
  text: '#ffffff',
  dim: '#d5dce4',
  accent: '#ffc678',
  free: '#000000',
  hatch: '#5d6874',
  top: '#aab5c1',
  ok: '#98f0a4',
  error: '#ffa09a',
};

const kLightContrast: Colours = {
  ...kLight,
  bg: '#ffffff',
  raised: '#eceff3',
  line: '#6f7a86',
  control: '#3c4652',
  text: '#000000',
  dim: '#303841',
  accent: '#7a3f00',
  free: '#ffffff',
  hatch: '#9aa4af',
  top: '#4c5763',
  ok: '#00441a',
  error: '#8f0f0a',
};

/** System colours for forced-colors mode; the map reads their values through `resolve`, CSS uses them as they are. */
const kForced: Colours = {
  bg: 'Canvas',
  panel: 'Canvas',
  raised: 'Canvas',
  line: 'CanvasText',
  control: 'ButtonBorder',
  text: 'CanvasText',
  dim: 'CanvasText',
  accent: 'Highlight',
  onAccent: 'HighlightText',
  inUse: 'LinkText',
  inUseOld: 'LinkText',
  onInUse: 'Canvas',
  onInUseOld: 'Canvas',
  free: 'Canvas',
  hatch: 'GrayText',
  cached: 'Canvas',
  cachedStripe: 'LinkText',
  header: 'Canvas',
  pool: 'CanvasText',
  poolGround: 'Canvas',
  node: 'CanvasText',
  onNode: 'Canvas',
  nodeFree: 'Canvas',
  nodeTouched: 'Highlight',
  top: 'CanvasText',
  segment: 'Canvas',
  ok: 'CanvasText',
  error: 'CanvasText',
  series1: 'LinkText',
  series2: 'CanvasText',
  series3: 'GrayText',
  series4: 'Highlight',
  group0: 'LinkText',
  group1: 'LinkText',
  group2: 'LinkText',
  group3: 'LinkText',
  group4: 'LinkText',
  group5: 'LinkText',
  group6: 'LinkText',
  group7: 'LinkText',
};

/** Steps of age, from just born to the oldest; a step is about 1.7 times as many events. */
export const kAgeSteps = 32;
/** Most chunks of a scenario are between some ten and some hundred thousand events old: the ramp lies there. */
const kYoungUpTo = 4;
const kOldFrom = 23;

/** A theme for drawing: the same colours as CSS text and as pixels, 0xAABBGGRR as ImageData holds them. */
export interface Theme {
  readonly name: ThemeName;
  readonly css: Colours;
  readonly pixel: Readonly<Record<keyof Colours, number>>;
  /** By age, 0 youngest; index is age >> 3. */
  readonly agePixels: Uint32Array;
  /** The same as CSS text. */
  readonly ageColours: readonly string[];
  /** Colour of a label on a chunk of that age. */
  readonly ageLabels: readonly string[];
  /** Colour of a label on a pool block by how full it is, 0 empty to kFullSteps. */
  readonly blockLabels: readonly string[];
  readonly font: string;
  readonly mono: string;
}

/** Steps between an empty pool block and a full one, for its label. */
export const kFullSteps = 8;

const kFont = '"Inter Variable", Inter, system-ui, sans-serif';
const kMono = '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, "DejaVu Sans Mono", monospace';

export const kDarkTheme: Theme = makeTheme('dark', kDark);
export const kLightTheme: Theme = makeTheme('light', kLight);
export const kDarkContrastTheme: Theme = makeTheme('dark-contrast', kDarkContrast);
export const kLightContrastTheme: Theme = makeTheme('light-contrast', kLightContrast);

/** What the canvas draws with; forced colours are made by forcedTheme. */
export const kThemes: Readonly<Record<Exclude<ThemeName, 'forced'>, Theme>> = {
  dark: kDarkTheme,
  light: kLightTheme,
  'dark-contrast': kDarkContrastTheme,
  'light-contrast': kLightContrastTheme,
};

/** The theme in forced colours. `resolve` turns a system colour's name into rgb() text, as computed styles do. */
export function forcedTheme(resolve: (keyword: string) => string): Theme {
  const entries = Object.entries(kForced).map(([name, keyword]) => [name, rgb(resolve(keyword)).formatHex()]);
  return makeTheme('forced', Object.fromEntries(entries) as unknown as Colours); // same keys as kForced
}

function makeTheme(name: ThemeName, css: Colours): Theme {
  const pixel = Object.fromEntries(Object.entries(css).map(([key, colour]) => [key, pixelOf(colour)]));
  const ramp = interpolateLab(css.inUse, css.inUseOld);
  const agePixels = new Uint32Array(kAgeSteps);
  const ageColours: string[] = [];
  const ageLabels: string[] = [];
  for (let step = 0; step < kAgeSteps; step++) {
    const colour = ramp(Math.min(Math.max((step - kYoungUpTo) / (kOldFrom - kYoungUpTo), 0), 1));
    agePixels[step] = pixelOf(colour);
    ageColours.push(colour);
    const young = contrast(css.onInUse, colour) >= contrast(css.onInUseOld, colour);
    ageLabels.push(young ? css.onInUse : css.onInUseOld);
  }
  const fullness = interpolateRgb(css.poolGround, css.node);
  const blockLabels: string[] = [];
  for (let step = 0; step <= kFullSteps; step++) {
    const colour = fullness(step / kFullSteps);
    blockLabels.push(contrast(css.text, colour) >= contrast(css.onNode, colour) ? css.text : css.onNode);
  }
  return {
    name,
    css,
    pixel: pixel as Record<keyof Colours, number>, // the keys of css
    agePixels,
    ageColours,
    ageLabels,
    blockLabels,
    font: kFont,
    mono: kMono,
  };
}

/** The custom properties of a theme as declarations, for :root or :host: --hg-bg, --hg-in-use, ... --hg-mono. */
export function cssVariables(name: ThemeName): string {
  const css = name === 'forced' ? kForced : kThemes[name].css;
  const lines = Object.entries(css).map(([key, colour]) => `--hg-${dashed(key)}: ${colour};`);
  return [...lines, `--hg-font: ${kFont};`, `--hg-mono: ${kMono};`].join('\n');
}

const dashed = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function pixelOf(colour: string): number {
  const { r, g, b } = rgb(colour).rgb();
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}

/** Contrast of two colours as WCAG defines it, 1..21. */
export function contrast(one: string, other: string): number {
  const lightnesses = [luminance(one), luminance(other)];
  return (Math.max(...lightnesses) + 0.05) / (Math.min(...lightnesses) + 0.05);
}

function luminance(colour: string): number {
  const { r, g, b } = rgb(colour);
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
