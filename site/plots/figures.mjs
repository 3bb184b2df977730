// Puts the plots of the list into a document's page, each before its table, as a block of "figure": config.mjs shows it as it is.

import { figureOf } from './draw.mjs';
import { kPlots } from './list.mjs';
import { plotsOf } from './points.mjs';
import { tablesOf } from './tables.mjs';

/** @param {string} path of the document @param {string} text @returns {string} */
export function withPlots(path, text) {
  let whole = text;
  const plots = plotsOf(tablesOf(text), kPlots[path] ?? []).sort((a, b) => b.begin - a.begin);
  for (const plot of plots)
    whole = `${whole.slice(0, plot.begin)}\`\`\`figure\n${figureOf(plot)}\n\`\`\`\n\n${whole.slice(plot.begin)}`;
  return whole;
}

export function figures(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, at, ...rest) =>
    tokens[at].info.trim() === 'figure' ? tokens[at].content : fence(tokens, at, ...rest);
}

/** A table's first head cell that is empty is no heading of anything. */
export function emptyHeads(markdown) {
  markdown.core.ruler.push('empty_heads', ({ tokens }) => {
    for (const [at, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[at + 1].content === '')
        for (const one of [token, tokens[at + 2]]) one.tag = 'td';
  });
}

/** Without the figures: what search reads. */
export const withoutFigures = (html) => html.replaceAll(/<figure[^>]*class="hg-plot"[\s\S]*?<\/figure>/g, '');
