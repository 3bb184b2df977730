// How long the lists of a report may be: a report of ten million events stays a page that is read.

export const kMostSamples = 500;
export const kMostGrowths = 400; // memory that grows by 1/32 at a time reaches 4 GiB in fewer
export const kMostRows = 20;
export const kMostAdvice = 10;
export const kMostMarks = 200;
/** Letters of a name that the trace brings. */
export const kMostLetters = 200;
/** Blocks that are followed at once; a Map of JavaScript holds twice as many. */
export const kMostLive = 2 ** 23;
/** Distinct request sizes that are counted apart; the rest counts in the histogram only. */
export const kMostSizes = 65_536;
/** Call sites that are counted apart; what further ones allocate counts as of no known site. */
export const kMostSites = 2 ** 18;
/** Call sites in a report, frames of each, and letters of a frame. */
export const kMostSiteRows = 60;
export const kMostStackRows = 24;
/** Nodes of a page's flame graph. */
export const kMostFlameNodes = 4000;
