/**
 * Baselines measured elsewhere on the same sets, nDCG@10 / Recall@10: BM25 1.2/.75 and reciprocal rank fusion in plain
 * code (English words stemmed, Lucene's 33 stop words left out, as in `plain-runs`), SQLite's own bm25() over porter FTS5,
 * and the best of nine fixed convex weights chosen per set with hindsight.
 */
export const baselines: Readonly<Record<string, { bm25?: string; fts5?: string; rrf?: string; convex?: string }>> = {
  locomo: { bm25: '.426 / .568', fts5: '.484 / .634', rrf: '.379 / .541', convex: '.462 / .62' },
  'locomo-sessions': { bm25: '.805 / .934', fts5: '.818 / .935', rrf: '.619 / .886', convex: '.806 / .938' },
  scifact: { bm25: '.683 / .817', fts5: '.687 / .825', rrf: '.718 / .851', convex: '.738 / .860' },
  stackfaq: { bm25: '.723 / .742', fts5: '.723 / .742', rrf: '.872 / .872', convex: '.952 / .946' },
  cranfield: { bm25: '.359 / .392', fts5: '.354 / .385', rrf: '.409 / .444', convex: '.412 / .448' },
  time: { bm25: '.683 / .742', rrf: '.655 / .716', convex: '.698 / .767' },
  'mtrag-chat': { bm25: '.680 / .762', rrf: '.736 / .829' },
  'cookbook-docs': { bm25: '.707 / .805', rrf: '.797 / .880' },
  'nl2bash-notes': { bm25: '.512 / .659' },
  'xquad-sent': { bm25: 'mean .757' },
  'drcd-sent-zh': { bm25: '.843 / .910' },
}
