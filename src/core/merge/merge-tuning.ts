/** Constants of merging. They are not part of `tuning`, which every page loads. */
export const mergeTuning = Object.freeze({
  /** Reports (outcomes, reads, signals) that a device lists for one record; older ones are summarised. */
  maxReports: 64,
  /** Elements that were removed from the lists of a record and are remembered. With more, the next put changes the record as a whole. */
  maxRemoved: 64,
  /** ms that a stamp of another device may be ahead of every clock seen; a clock that is wrong by more is reported. */
  maxClockAheadMs: 86_400_000,
})
