/** The options that every call has. */
export interface CallOptions {
  /**
   * Aborts the call. A call that has not started is not carried out. A call that only reads rejects with `ABORTED` at once. A write ends
   * with the answer of the engine: `ABORTED` without `committed` changed nothing; `ABORTED` with `committed` stored or forgot that many records; a
   * write that was already done resolves with its receipt. An import and an atomic `put` are rolled back if they are not committed yet.
   * `LEADER_LOST` and `DEADLINE_EXCEEDED` say that no answer came: the write may be done. `reembed`, `compact` and `integrityCheck` reject
   * at once, and what they have done stays; repeat the call to complete it. `destroy` and `close` cannot be aborted once they run.
   */
  readonly signal?: AbortSignal | undefined
}
