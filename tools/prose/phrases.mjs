// Wordings that the documents avoid, each with what to write instead. docs/glossary.md is the authority for terms.
//
// A row: [pattern, what to write]. The patterns run over the text of one block without code, case-insensitively.

/** Sentences that read like a translation. */
export const kAvoided = [
  [/\bwho (?:\w+ ){1,4}has (?:it|them)\b/, 'name the owner: "a freed chunk goes to the freeing thread\'s cache"'],
  [
    /(?<!than |like |from |to |of |with |by |on |in |at |and |, |beside |under |as |for |is |equals )\bthat of (?:a|an|the) (?:unit|one|other)/,
    'repeat the noun',
  ],
  [/\b(?:is|are|was|were|be|been|being|gets?) told\b/, 'say who reports, records or learns what'],
  [/\btells? (?:of|it|them|a leak)\b/, 'say "reports", "records" or "shows"'],
  [/\bthe same without\b/, 'say what is absent and what remains'],
  [/\bwhat \w+ could not\b/, 'name what is left'],
  [/\bthe dearest\b/, '"the most expensive"'],
  [/\bwithout it\b(?= \d)/, 'say what is absent'],
  [/\bas far as that is known\b/, 'give the reason, or say that it is unknown'],
  [/\bin the mean of\b/, '"on average over"'],
  [/\b(?:so|thus) that nobody\b/, 'say what is prevented'],
  [/\bnobody (?:saw|looked at|tuned for|sets|owns|has)\b/, 'say what is absent'],
  [/\bin the place of\b/, '"in place of" or "replaces"'],
  [/\bin so far as\b/, '"as far as" or "where"'],
  [/\bmakes itself\b/, 'use the passive or name the maker'],
  [/\bof the like\b|\bor alike\b/, '"or similar"'],
  [/\beach of which one\b/, 'split the sentence'],
  [/\bthe program['’]s own one\b/, '"the program\'s own"'],
  [/\bit is that of\b/, 'repeat the noun'],
  [/\bwhatever took it\b|\bwhoever took it\b/, 'name the thread'],
  [/\butili[sz]e[sd]?\b/, '"use"'],
  [/\bin order to\b/, '"to"'],
  [/\ba number of\b/, 'give the number, or "several"'],
  [/\bcoming into being\b|\bcomes into being\b/, '"is created"'],
];

/** Words that are not the glossary's, with the glossary's word. */
export const kTerms = [
  [/\bquick lists?\b/, '"cache list"'],
  [/\bmemory arenas?\b|\ballocation arenas?\b/, '"heap" or "segment"'],
  [/\bpage chunks?\b/, '"segment"'],
  [/\bfree blocks? tree\b/, '"tree order"'],
  [/\ballocation header\b|\bblock header word\b/, '"header word"'],
  [/\bwilderness\b/, '"top"'],
  [/\bchunk boundaries tag\b/, '"boundary tag"'],
  [/\bthread[- ]local pool\b/, '"thread cache"'],
  [/\bburst list\b/, '"burst chain"'],
  [/\bexpand command\b/, '"expansion command"'],
  [/\bsub ?block\b/, '"sub-block"'],
  [/\bsize-class\b(?! list)/, '"size class"'],
  [/\bevent stream file\b/, '"trace"'],
  [/\btime ?stamp of an event\b/, '"sequence number"'],
];
