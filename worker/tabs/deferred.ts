/** A deferred promise: resolved or rejected by its owner, with a flag that says whether it is resolved. */
export interface Deferred {
  readonly promise: Promise<void>
  isResolved(): boolean
  resolve(): void
  reject(error: unknown): void
}

export function createDeferred(): Deferred {
  let isResolved = false
  let settle: Pick<Deferred, 'resolve' | 'reject'> = { resolve() {}, reject() {} }
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return {
    promise,
    isResolved: () => isResolved,
    resolve() {
      isResolved = true
      settle.resolve()
    },
    reject: settle.reject,
  }
}
