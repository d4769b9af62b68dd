/**
 * Every constant with a meaning that is not part of a policy: its unit, its value and why it has that value.
 * Limits stand here so that a reader finds what the engine refuses in one place.
 */
export const tuning = Object.freeze({
  /** Characters of query text that are read; the plan says when more was given (SPEC §5). */
  maxQueryCharacters: 4096,
  /** Distinct query terms; 5,000 OR terms took SQLite 59 s, 256 take milliseconds (RELIABILITY §1). */
  maxQueryTerms: 256,
  /** Hits a recall may return. */
  maxRecallLimit: 1000,
  defaultListLimit: 100,
  maxListLimit: 1000,
  /** Bytes of UTF-8 in `body`; longer texts belong in several records. */
  maxBodyBytes: 1_048_576,
  /** Bytes of UTF-8 in each other text field. */
  maxTextBytes: 65_536,
  /** Bytes of canonical JSON in `metadata`. */
  maxMetadataBytes: 16_384,
  maxIdLength: 512,
  maxTags: 256,
  maxTagLength: 256,
  maxFiles: 256,
  maxTerms: 512,
  maxAnchors: 256,
  maxRelations: 256,
  maxCycles: 16,
  /** Embedded pieces of one record: 1 MiB of text at 100 words a stride stays below it. */
  maxVectorsPerRecord: 4096,
  maxDimensions: 4096,
  /** Records in one `put` call; larger imports stream. */
  maxPutBatch: 10_000,
  /** |ms| of any timestamp: the range of an ECMAScript time value. */
  maxTimestampMs: 8.64e15,
  /** Bound on importance and pressureRate, so that every signal stays finite (law G1). */
  maxImportance: 1e6,
  minCycleSeconds: 60,
  maxAmplitude: 100,
  /** Write scores below this are not stored; the receipt says `filtered` (SPEC §9). */
  writeScoreFloor: 0.1,
  /** Words of one embedded piece, and the stride between pieces: MiniLM cuts texts at 256 tokens (EVAL §1). */
  chunkWords: 120,
  chunkStride: 100,
  /** Ranks in the vector channel are stated up to here: certain ranks cost reading every near neighbour exactly. */
  vectorRankDepth: 20,
  /** Longest snippet, in UTF-16 units. */
  snippetLength: 240,
  /** What an equal extracted term is worth to a staged policy, by what of the query equals it (SPEC §6.2). */
  termStrength: { query: 10, term: 3 },
  /** Candidates below a record, or below the last that was folded into it, among which near-duplicates are looked for. */
  nearWindow: 10,
  /** Near-duplicates differ for a query by at most this share of BM25, this much of a cosine, this share of length. */
  nearLexical: 0.15,
  nearCosine: 0.1,
  nearLength: 0.8,
  /** A call without an answer after this long is an error (RELIABILITY §1). */
  deadlineMs: 10_000,
  /** Strength of a text that holds the whole query, or each term of it (SPEC §6.2). */
  textStrength: Object.freeze({ query: 8, term: 2 }),
  /** Strength of a path that equals the query or a term, ends in `/` and it, or holds it (SPEC §6.2). */
  pathStrength: Object.freeze({
    query: Object.freeze({ equal: 12, ending: 10, inside: 6 }),
    term: Object.freeze({ equal: 6, ending: 5, inside: 2 }),
  }),
  /** Extracted paths and terms kept of one record. */
  maxExtracted: 256,
})
