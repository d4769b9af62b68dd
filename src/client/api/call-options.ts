/** The options that every call has. */
export interface CallOptions {
  /**
   * Aborts the call. A call that has not started is not carried out. A call that only reads rejects with `ABORTED` at once. A write ends with
   * the answer of the engine: `committed` of `ABORTED` is the number of records that it stored or forgot, none if absent; a write that was
   * already done resolves. An import and an atomic `put` are rolled back if they are not committed yet. After `LEADER_LOST` and
   * `DEADLINE_EXCEEDED` the write may be done. `reembed`, `compact` and `integrityCheck` reject at once; repeat the call to complete it.
   * `destroy` and `close` cannot be aborted once they run.
   */
  readonly signal?: AbortSignal | undefined
}
