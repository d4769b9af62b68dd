/**
 * Every constant with a meaning that is not part of a policy: its unit, its value and why it has that value.
 * Limits stand here so that a reader finds what the engine refuses in one place.
 */
export const tuning = Object.freeze({
  /** Characters of query text that are read; the plan says when more was given (docs/spec.md#query-text). */
  maxQueryCharacters: 4096,
  /** Distinct query terms; 5,000 OR terms took SQLite 59 s, 256 take milliseconds. */
  maxQueryTerms: 256,
  maxQueryPairs: 32,
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
  /** Records of one `put` call, or of several that wait together, that are one transaction; more are stored in slices of this many. */
  recordsPerCommit: 500,
  /** |ms| of any timestamp: the range of an ECMAScript time value. */
  maxTimestampMs: 8.64e15,
  /** Bound on importance and pressureRate, so that every signal stays finite [G1]. */
  maxImportance: 1e6,
  minCycleSeconds: 60,
  maxAmplitude: 100,
  /** Write scores below this are not stored; the receipt says `filtered` (docs/spec.md#write-filter). */
  writeScoreFloor: 0.1,
  /** Write scores from here on mark a record as one of priority (docs/spec.md#write-filter). */
  writeScorePriority: 0.7,
  /** Words of one embedded piece, and the stride between pieces: MiniLM cuts texts at 256 tokens (docs/spec.md#chunks). */
  chunkWords: 120,
  chunkStride: 100,
  /** Ranks in the vector channel are stated up to here: certain ranks cost reading every near neighbour exactly. */
  vectorRankDepth: 20,
  /** Longest snippet, in UTF-16 units. */
  snippetLength: 240,
  /** What an equal extracted term is worth to a staged policy, by what of the query equals it (docs/spec.md#staged-fusion). */
  termStrength: { query: 10, term: 3 },
  /** Candidates below a record, or below the last that was folded into it, among which near-duplicates are looked for. */
  nearWindow: 10,
  /** Near-duplicates differ for a query by at most this share of BM25, this much of a cosine, this share of length. */
  nearLexical: 0.15,
  nearCosine: 0.1,
  nearLength: 0.8,
  /** And by at most this share of their pairs of letters; of unlike texts of 400 letters one pair in a thousand is below a third. */
  nearLetters: 0.3,
  /** A call without an answer after this long is an error. */
  deadlineMs: 10_000,
  /** ms one call of an app's embedder may take, where it gives no `timeoutMs` of its own. */
  embedMs: 10_000,
  /** ms one call of the built-in embedder may take: half a deadline, so that the call which waits for it is still answered. */
  builtInEmbedMs: 5_000,
  /** Strength of a text that holds the whole query, or each term of it (docs/spec.md#staged-fusion). */
  textStrength: Object.freeze({ query: 8, term: 2 }),
  /** Strength of a path that equals the query or a term, ends in `/` and it, or holds it (docs/spec.md#staged-fusion). */
  pathStrength: Object.freeze({
    query: Object.freeze({ equal: 12, ending: 10, inside: 6 }),
    term: Object.freeze({ equal: 6, ending: 5, inside: 2 }),
  }),
  /** ms between two answers of a live query: an import of many batches must not be a recall after each. */
  liveQueryMs: 100,
  /** Revisions for which a write is known by its operation id: a retry comes within seconds, a second is at most 1,000 commits. */
  rememberedRevisions: 10_000,
  /** Characters of an operation id. */
  maxOperationLength: 128,
  /** Extracted paths and terms kept of one record. */
  maxExtracted: 256,
  msPerDay: 86_400_000,
  /** Exponent of the power law that records fade by (docs/spec.md#decay; Popoto's default). */
  decayRate: 0.1,
  /** Bound on that exponent, so that a record of age 0 still has a finite score [G1]. */
  maxDecayRate: 100,
  /** Days: the age of a record that was just written; the power law has no value at 0. */
  minAgeDays: 0.01,
  /** Confidence of a record nobody has judged, and the one at which confidence does not change decay. */
  startConfidence: 0.5,
  /** How far confidence bends decay: the exponent is doubled or halved over 1 / this much confidence. */
  confidenceModulation: 0.5,
  /** From this many signals on each counts as much as the last: old evidence must not freeze a record. */
  confidenceEvidenceCap: 20,
  /** Amplitudes below this count as 0, or feedback would keep cycles alive that nobody can see. */
  minAmplitude: 0.01,
  /** At most this much confidence, and a contradicted record no longer presses. The slack is for rounding. */
  resignedConfidence: 0.1 + 1e-9,
  /** Prediction errors above this speak against the record … */
  surprisingError: 0.7,
  /** … with this signal. */
  surpriseSignal: 0.2,
  /** Weight of a link that is made without one. */
  linkWeight: 0.1,
  linkStrengthening: 0.05,
  linkWeakening: 0.95,
  /** Links below this are gone. */
  minLinkWeight: 0.001,
  /** Links of one record; the weakest go first. */
  maxLinks: 500,
  /** Records of one acknowledgement that are linked with each other, the first of those that were used. */
  maxAutoLinked: 100,
  /** Read times kept of one record. */
  maxAccesses: 100,
  /** How long a proposal waits for its outcome. */
  proposalTtlMs: 3_600_000,
  /** Records that a context package holds when nobody says how many. */
  maxItems: 10,
  /** Longest way over links that may be asked for: each hop halves what is passed on, and 0.5^6 is nearly the threshold. */
  maxPropagationDepth: 5,
  /** What is passed on over links ends below this. */
  propagationThreshold: 0.01,
  /** Places in a session that a policy may look away from a record: further off is another matter, and costs. */
  maxNeighbours: 8,
  /** Signal to pulled records that were not selected (Popoto's competitive suppression). */
  suppressionSignal: 0.3,
  /** Days without a change after which a record's text is likely to stay as it is. */
  settledDays: 30,
  /** Scores below this are faint: too weak to surface by themselves. */
  surfacingThreshold: 0.5,
  /** Shares of the feeling of knowing (docs/spec.md#quality). */
  fok: Object.freeze({ familiarity: 0.4, partialRetrieval: 0.4, subthreshold: 0.2 }),
  /** Means nearer to 0 than this have no relative spread. */
  flatMean: 1e-9,
  /** Lines of the event log. */
  maxEvents: 10_000,
  /** Signals a low confidence must rest on before retention forgets for it. */
  retentionEvidence: 3,
  /** ms between two looks at ages after puts: days pass slowly, and each look reads every record. */
  retentionEveryMs: 60_000,
  /** How long an acknowledged receipt is remembered: a second one within this time changes nothing. */
  operationMemoryMs: 30 * 86_400_000,
})
