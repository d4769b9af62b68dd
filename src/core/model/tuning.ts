/**
 * The constants and limits of the engine that are not part of a policy, with their units and reasons.
 */
export const tuning = Object.freeze({
  /** Characters of query text that are read. The plan has a note about a longer text (docs/spec/text.md#query-text). */
  maxQueryCharacters: 4096,
  /** Characters of a record in which a time is looked for: a text says at its beginning when it happened. */
  maxEventCharacters: 4096,
  /** Distinct query terms. SQLite took 59 s for 5,000 OR terms; 256 take milliseconds. */
  maxQueryTerms: 256,
  maxQueryPairs: 32,
  /** Words that are also looked up as one word, words that are also looked up as two, and synonyms of a query. */
  maxQueryJoins: 32,
  maxQueryForms: 16,
  maxQuerySynonyms: 64,
  /** Words of a query that a near word is looked for. */
  maxQueryTypos: 16,
  /** Share of its weight that a word adds which was corrected by one edit, or by two. */
  correctedShare: [0.95, 0.9] as readonly number[],
  /** Words that a policy has synonyms for, and synonyms of one word. */
  maxSynonyms: 10_000,
  maxSynonymsOfWord: 16,
  /** Most hits of a recall. */
  maxRecallLimit: 1000,
  defaultListLimit: 100,
  maxListLimit: 1000,
  /** Records that `about` sorts, each compared with each. */
  maxStatements: 500,
  defaultSuggestLimit: 10,
  /** Bytes of UTF-8 in `body`; split a longer text into several records. */
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
  /** Embedded chunks of one record. 1 MiB of text at 100 words per stride has fewer. */
  maxVectorsPerRecord: 4096,
  maxDimensions: 4096,
  /** Records in one `put` call. */
  maxPutBatch: 10_000,
  /** Records of one `put` call, or of several waiting calls, in one transaction. More records are stored in slices of this size. */
  recordsPerCommit: 500,
  /** |ms| of any timestamp: the range of an ECMAScript time value. */
  maxTimestampMs: 8.64e15,
  /** Bound on importance and pressureRate, so that every signal stays finite [G1]. */
  maxImportance: 1e6,
  minCycleSeconds: 60,
  maxAmplitude: 100,
  /** Records with a write score below this are not stored; the receipt says `filtered` (docs/spec/records.md#write-filter). */
  writeScoreFloor: 0.1,
  /** Write scores from here on mark a record as a priority (docs/spec/records.md#write-filter). */
  writeScorePriority: 0.7,
  /** Words of one embedded chunk, and the stride between chunks: MiniLM cuts texts at 256 tokens (docs/spec/text.md#chunks). */
  chunkWords: 120,
  chunkStride: 100,
  /** Ranks in the vector channel are reported up to here. A certain rank costs exact cosines of all near neighbours. */
  vectorRankDepth: 20,
  /** Longest snippet, in UTF-16 units. */
  snippetLength: 240,
  /** Largest `snippetLength` of a query, in code points. */
  maxSnippetLength: 10_000,
  /** Most passages of a hit. */
  maxHitPassages: 100,
  /** Strength of an extracted term that equals the whole query, or a term of it, in a staged policy (docs/spec/ranking.md#staged-fusion). */
  termStrength: { query: 10, term: 3 },
  /** Candidates after a record, or after the last one collapsed into it, that are compared for near-duplicates. */
  nearWindow: 10,
  /** Places that the later of two statements can rise [H1]. As many as `nearWindow`, which are read anyway. */
  changeWindow: 10,
  /** Near-duplicates differ for a query by at most this share of BM25, this much cosine and this share of length … */
  nearLexical: 0.15,
  nearCosine: 0.1,
  nearLength: 0.8,
  /** … and by at most this share of their letter pairs. Of unlike texts with 400 letters, one pair in a thousand differs by less than a third. */
  nearLetters: 0.3,
  /** ms until a call without an answer fails. */
  deadlineMs: 10_000,
  /** ms for one call of an app's embedder, unless it sets `timeoutMs`. */
  embedMs: 10_000,
  /** ms for one call of the built-in embedder: half a deadline, so that the waiting call still gets an answer. */
  builtInEmbedMs: 5_000,
  /** Strength of a text that contains the whole query, or each term of it (docs/spec/ranking.md#staged-fusion). */
  textStrength: Object.freeze({ query: 8, term: 2 }),
  /** Strength of a path that equals the query or a term, ends with it after a `/`, or contains it (docs/spec/ranking.md#staged-fusion). */
  pathStrength: Object.freeze({
    query: Object.freeze({ equal: 12, ending: 10, inside: 6 }),
    term: Object.freeze({ equal: 6, ending: 5, inside: 2 }),
  }),
  /** ms between two answers of a live query: an import of many batches must not cause a recall after each batch. */
  liveQueryMs: 100,
  /** Revisions for which the operation id of a write is stored. A retry comes within seconds; a second has at most 1,000 commits. */
  rememberedRevisions: 10_000,
  /** Characters of an operation id. */
  maxOperationLength: 128,
  /** Extracted paths and terms that are stored for one record. */
  maxExtracted: 256,
  msPerDay: 86_400_000,
  /** Exponent of the power law of decay (docs/spec/learning.md#decay; Popoto's default). */
  decayRate: 0.1,
  /** Bound on that exponent, so that a record of age 0 still has a finite score [G1]. */
  maxDecayRate: 100,
  /** Days: least age of a record in the power law, which is not defined at 0. */
  minAgeDays: 0.01,
  /** Confidence of a record without signals. At this value confidence does not change decay. */
  startConfidence: 0.5,
  /** How strongly confidence changes decay: the exponent doubles or halves over 1 / this value of confidence. */
  confidenceModulation: 0.5,
  /** Signals after this many count as much as the last: otherwise old evidence makes the confidence of a record constant. */
  confidenceEvidenceCap: 20,
  /** Bound on imported counts of signals and reads. Real use cannot reach it, and counting on from it stays exact. */
  maxCount: 1e9,
  /** Amplitudes below this count as 0. Otherwise feedback keeps cycles without visible effect. */
  minAmplitude: 0.01,
  /** A contradicted record with at most this confidence is abandoned: its pressure ends. The 1e-9 is for rounding. */
  abandonedConfidence: 0.1 + 1e-9,
  /** A prediction error above this is a signal against the record … */
  surprisingError: 0.7,
  /** … with this value. */
  surpriseSignal: 0.2,
  /** Weight of a new link without an explicit weight. */
  linkWeight: 0.1,
  linkStrengthening: 0.05,
  linkWeakening: 0.95,
  /** Links below this weight are deleted. */
  minLinkWeight: 0.001,
  /** Links of one record; the weakest are deleted first. */
  maxLinks: 500,
  /** Records of one acknowledgement that are linked with each other: the first used ones. */
  maxAutoLinked: 100,
  /** Read times stored for one record. */
  maxAccesses: 100,
  /** ms a proposal waits for its outcome. */
  proposalTtlMs: 3_600_000,
  /** Places that a query may reserve. */
  maxReservedPlaces: 100,
  /** Default number of records in a context package. */
  maxItems: 10,
  /** Most hops over links that a request may set. Each hop halves the value, and 0.5^6 is nearly the threshold. */
  maxPropagationDepth: 5,
  /** Propagation over links stops below this value. */
  propagationThreshold: 0.01,
  /** Most positions of a session on each side that a policy may use. Farther records have other subjects, and cost time. */
  maxNeighbours: 8,
  /** Autocorrelation of lengths in a session from which they begin to count as alternating, and from which they fully do. */
  alternatingLengths: Object.freeze({ none: -0.2, full: -0.4 }),
  /** Signal for pulled records that were not selected (Popoto's competitive suppression). */
  suppressionSignal: 0.3,
  /** Days without a change after which the text of a record counts as stable. */
  settledDays: 30,
  /** Least score at which a record surfaces unasked. */
  surfacingThreshold: 0.5,
  /** Weights of the feeling of knowing (docs/spec/contexts.md#quality). */
  fok: Object.freeze({ familiarity: 0.4, partialRetrieval: 0.4, subthreshold: 0.2 }),
  /** The relative spread is 0 if the mean is nearer to 0 than this. */
  flatMean: 1e-9,
  /** Lines of the event log. */
  maxEvents: 10_000,
  /** Least number of signals behind a low confidence before retention deletes a record for it. */
  retentionEvidence: 3,
  /** ms between two retention checks of ages after puts: each check reads every record. */
  retentionEveryMs: 60_000,
  /** ms for which an acknowledged receipt is stored. A second acknowledgement within this time changes nothing. */
  operationMemoryMs: 30 * 86_400_000,
})
