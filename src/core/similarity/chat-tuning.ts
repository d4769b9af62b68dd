/** Constants of standing requests and contradictions. They are not part of `tuning`, which every page loads. */
export const chatTuning = Object.freeze({
  /** Characters of a record that may state a standing request: a longer text mentions such words by the way. */
  maxStandingCharacters: 1000,
  /** Characters of a record in which statements are looked for. */
  statementCharacters: 4096,
  /** A text with more values is a list, and one with more sentences that deny nothing an explanation: only its denials are compared. */
  maxStatementValues: 5,
  maxAssertions: 8,
  /** Stored records that a put compares with a record, and contradictions that it proposes of one. */
  maxCompared: 12,
  maxContradictions: 3,
  /**
   * What two statements must share to be about one subject (docs/spec/learning.md#contradictions): a sum of weights of stems, and a share of the
   * statement that says less. `personal`: both are about their writer, who is then a subject that they share.
   */
  contradiction: Object.freeze({
    personal: Object.freeze({
      least: Object.freeze({ value: 2, change: 1.3, denial: 1 }),
      share: Object.freeze({ value: 0.2, denial: 0.5 }),
    }),
    other: Object.freeze({
      least: Object.freeze({ value: 2, change: 2, denial: 2 }),
      share: Object.freeze({ value: 0.6, denial: 0.8 }),
    }),
    /** What an equal unit of two counts is worth. */
    unit: 0.7,
  }),
})
