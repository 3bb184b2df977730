// How long the lists of an answer may be.

/** Blocks that are named one by one; of a site with more the page marks by the numbers of its sites. */
export const kMostAnswerBlocks = 1024;
export const kMostAnswerSites = 20;
export const kMostAnswerHoles = 64;
export const kMostAnswerFrames = 24;
/** The trace's numbers of one site. */
export const kMostSiteNumbers = 4096;
/** Events of one call that are read. */
export const kMostCallEvents = 65_536;
