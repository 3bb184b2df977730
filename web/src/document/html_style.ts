// The sheet of a page: light and dark by the visitor's choice; plots take their colours from it.

export const kHtmlStyle = `
:root {
  --ground: #ffffff; --panel: #f5f6f8; --line: #d9dde3; --text: #15191f; --quiet: #5a6472; --warn: #8a4b00; --warn-ground: #fff4e0;
  --live: #1f6feb; --in-use: #8250df; --cached: #ece6fa; --footprint: #6b7685; --other: #b35900;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1014; --panel: #161b22; --line: #2d3540; --text: #e6eaf0; --quiet: #9aa5b3; --warn: #ffc46b; --warn-ground: #2a2010;
    --live: #58a6ff; --in-use: #bc8cff; --cached: #332b42; --footprint: #8c97a6; --other: #f0a04b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 24px 16px 64px; max-width: 1120px; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; font-variant-numeric: tabular-nums;
}
header p { max-width: none; }
header { margin-bottom: 20px; }
header p { margin: 4px 0 0; color: var(--quiet); }
.kind { text-transform: uppercase; letter-spacing: 0.08em; font-size: 12px; }
h1 { margin: 0; font-size: 26px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 8px; font-size: 18px; }
section { margin: 32px 0 0; }
p { max-width: 76ch; }
.notices { margin: 0 0 20px; padding: 12px 16px; border: 1px solid var(--warn); border-radius: 8px; background: var(--warn-ground); }
.notices h2 { color: var(--warn); font-size: 15px; }
.notices ul { margin: 0; padding-left: 20px; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(220px, 46%), 1fr)); gap: 10px; margin: 0; }
.tile { padding: 10px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.tile dt { color: var(--quiet); font-size: 13px; }
.tile dd { margin: 0; }
.tile strong { display: block; font-size: 22px; line-height: 1.3; }
.tile span { color: var(--quiet); font-size: 13px; }
figure { margin: 8px 0; min-height: 40px; }
figure svg { display: block; max-width: 100%; }
figure:not([data-plot]) svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--quiet); }
figure svg .grid { stroke: var(--line); }
figure .legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 4px; padding: 0; list-style: none; font-size: 13px; color: var(--quiet); }
figure .legend i { display: inline-block; width: 12px; height: 12px; margin-right: 6px; border-radius: 3px; vertical-align: -1px; }
th button, .flame-choice button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort] button { color: var(--text); }
th[aria-sort='descending'] button::after { content: ' ▾'; }
th[aria-sort='ascending'] button::after { content: ' ▴'; }
.flame-choice { display: flex; flex-wrap: wrap; gap: 4px; margin: 0 0 8px; }
.flame-choice button { padding: 4px 10px; border: 1px solid var(--line); border-radius: 6px; font-size: 13px; }
.flame-choice button[aria-pressed='true'] { background: var(--live); border-color: var(--live); color: var(--ground); }
.flame { position: relative; overflow: hidden; }
.flame button {
  position: absolute; height: 19px; padding: 0 4px; border: 0; border-radius: 2px; overflow: hidden; text-align: left; white-space: nowrap;
  text-overflow: ellipsis; font: 12px/19px ui-monospace, monospace; color: #1a1005; background: hsl(var(--hue) 85% 70%); cursor: pointer;
}
.flame button.faded { background: var(--panel); color: var(--quiet); }
.flame button:hover { filter: brightness(0.92); }
.flame button:focus-visible, th button:focus-visible, .flame-choice button:focus-visible { outline: 2px solid var(--live); outline-offset: -2px; }
details { margin: 8px 0; }
summary { cursor: pointer; color: var(--quiet); }
.table { overflow-x: auto; margin: 12px 0 0; }
.table:focus-visible, summary:focus-visible { outline: 2px solid var(--live); outline-offset: 2px; }
table { border-collapse: collapse; min-width: min(100%, 460px); }
caption { padding: 0 0 6px; text-align: left; font-weight: 600; }
th, td { padding: 4px 18px 4px 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--quiet); font-weight: 500; font-size: 13px; }
.text { text-align: left; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); gap: 0 40px; }
.pair > div { min-width: 0; }
.rest { margin: 6px 0 0; color: var(--quiet); font-size: 13px; }
@media print { body { max-width: none; } .table { overflow: visible; } }
`;
