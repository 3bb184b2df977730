// The sheet of a page: light and dark by the visitor's choice, with the look of the glass; plots take their colours from it.

import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline';
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?inline';
import tokens from '../base/tokens.css?raw';

/** The glass's fonts, in the page: it is one file, wherever it is opened. */
const fontFace = (family: string, weights: string, font: string): string =>
  `@font-face { font-family: "${family}"; font-weight: ${weights}; src: url(${font}) format("woff2"); }`;

export const kHtmlStyle = `
${fontFace('Inter Variable', '100 900', inter)}
${fontFace('JetBrains Mono Variable', '100 800', mono)}
${tokens.replaceAll(/\/\*[\s\S]*?\*\/\s*/g, '')}
:root {
  color-scheme: light dark; --ground: var(--hg-bg); --panel: var(--hg-panel); --line: var(--hg-line); --text: var(--hg-text); --quiet: var(--hg-dim);
  --warn: var(--hg-accent); --warn-ground: color-mix(in srgb, var(--hg-accent) 10%, var(--hg-panel));
  --live: var(--hg-in-use);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: var(--hg-space-6) var(--hg-space-5) 64px; max-width: 1120px; background: var(--ground); color: var(--text);
  font: var(--hg-text-3)/1.55 var(--hg-font); font-variant-numeric: tabular-nums;
}
header p { max-width: none; }
header { margin-bottom: var(--hg-space-6); }
header p { margin: var(--hg-space-1) 0 0; color: var(--quiet); }
header .brand { margin: 0 0 var(--hg-space-4); color: var(--text); font-size: var(--hg-text-4); font-weight: 650; letter-spacing: -0.01em; }
.kind { text-transform: uppercase; letter-spacing: 0.09em; font-size: var(--hg-text-1); }
h1 { margin: 0; font-size: var(--hg-text-5); line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 var(--hg-space-3); font-size: var(--hg-text-4); }
section { margin: 32px 0 0; }
p { max-width: 76ch; }
.notices { margin: 0 0 var(--hg-space-6); padding: var(--hg-space-4) var(--hg-space-5); border: 1px solid var(--warn); border-radius: var(--hg-radius); background: var(--warn-ground); }
.notices h2 { color: var(--warn); font-size: var(--hg-text-4); }
.notices ul { margin: 0; padding-left: 20px; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(220px, 46%), 1fr)); gap: var(--hg-space-3); margin: 0; }
.tile { padding: var(--hg-space-3) var(--hg-space-4); border: 1px solid var(--line); border-radius: var(--hg-radius); background: var(--panel); }
.tile dt { color: var(--quiet); font-size: var(--hg-text-2); }
.tile dd { margin: 0; }
.tile strong { display: block; font: 600 var(--hg-text-5)/1.3 var(--hg-mono); letter-spacing: -0.02em; }
.tile span { color: var(--quiet); font-size: var(--hg-text-2); }
figure { margin: 8px 0; min-height: 40px; }
figure svg { display: block; max-width: 100%; }
figure:not([data-plot]) svg { width: 100%; height: auto; font: var(--hg-text-2) var(--hg-font); fill: var(--quiet); }
figure svg .grid { stroke: var(--line); }
figure .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 4px; padding: 0; list-style: none; font-size: var(--hg-text-2); color: var(--quiet); }
figure .legend i { display: inline-block; width: 12px; height: 12px; margin-right: 6px; border-radius: 3px; vertical-align: -1px; }
figure svg text { fill: var(--quiet); font-family: var(--hg-mono); }
figure svg .mark-names text { font-family: var(--hg-font); }
figure .legend .key-in-use { background: var(--hg-chart-in-use); }
figure .legend .key-cached { background: var(--hg-chart-stripes); }
figure .legend .key-footprint { background: var(--hg-chart-footprint); }
figure .legend .key-line { height: 2px; background: var(--text); vertical-align: 4px; }
figure .legend .key-mark { width: 0; border-left: 1px dashed var(--quiet); border-radius: 0; }
th button, .flame-choice button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort] button { color: var(--text); }
th[aria-sort='descending'] button::after { content: ' ▾'; }
th[aria-sort='ascending'] button::after { content: ' ▴'; }
.flame-choice { display: inline-flex; flex-wrap: wrap; margin: 0 12px 8px 0; border: 1px solid var(--line); border-radius: var(--hg-radius); overflow: hidden; }
.flame-choice button { padding: 0 var(--hg-space-3); min-height: 26px; color: var(--quiet); font-size: var(--hg-text-3); }
.flame-choice button[aria-pressed='true'] { background: var(--hg-raised); color: var(--text); }
.flame { position: relative; overflow: hidden; }
.flame button {
  position: absolute; height: 19px; padding: 0 4px; border: 0; border-radius: 2px; overflow: hidden; text-align: left; white-space: nowrap;
  text-overflow: ellipsis; font: var(--hg-text-2)/19px var(--hg-mono); color: var(--text); background: var(--hg-frame-0); cursor: pointer;
}
${[1, 2, 3, 4, 5].map((hue) => `.flame .frame-${hue} { background: var(--hg-frame-${hue}); }`).join('\n')}
.flame button.faded { background: var(--hg-raised); color: var(--quiet); }
.flame button.other { opacity: 0.35; }
.flame-search { margin: 0 0 8px; padding: 0 var(--hg-space-3); height: 28px; width: 220px; max-width: 100%; border: 1px solid var(--line); border-radius: var(--hg-radius); background: none; color: var(--text); font: inherit; vertical-align: top; }
.flame button:hover { filter: brightness(0.92); }
.flame button:focus-visible, th button:focus-visible, .flame-choice button:focus-visible { outline: 2px solid var(--live); outline-offset: -2px; }
.switch { display: inline-flex; align-items: center; gap: var(--hg-space-2); min-height: 26px; color: var(--quiet); }
.switch input { margin: 0; accent-color: var(--live); }
.whole, :root:has(#whole:checked) .short { display: none; }
:root:has(#whole:checked) .whole { display: block; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--quiet); }
.table { overflow-x: auto; margin: 12px 0 0; }
.table:focus-visible, summary:focus-visible { outline: 2px solid var(--live); outline-offset: 2px; }
table { border-collapse: collapse; min-width: min(100%, 460px); }
caption { padding: 0 0 6px; max-width: calc(100vw - 2 * var(--hg-space-5)); text-align: left; font-weight: 600; }
td { font: var(--hg-text-2)/1.5 var(--hg-mono); }
th, td { padding: var(--hg-space-1) var(--hg-space-5) var(--hg-space-1) 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--quiet); font-weight: 500; font-size: var(--hg-text-2); }
.text { text-align: left; }
.long { white-space: normal; overflow-wrap: anywhere; min-width: 18ch; }
.text:first-child { position: sticky; left: 0; background: var(--ground); }
@media (max-width: 640px) { th, td { padding-right: var(--hg-space-4); } }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 0 40px; }
.pair > div { min-width: 0; }
.rest { margin: 6px 0 0; color: var(--quiet); font-size: var(--hg-text-2); }
td, .flame button { font-variant-ligatures: none; }
@media print { body { max-width: none; } .table { overflow: visible; } }
`;
