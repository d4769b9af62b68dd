/** A promise, and whether it is fulfilled. */
export interface Gate {
  readonly passed: Promise<void>
  isPassed(): boolean
  pass(): void
  fail(error: unknown): void
}

export function createGate(): Gate {
  let isPassed = false
  let settle: Pick<Gate, 'pass' | 'fail'> = { pass() {}, fail() {} }
  const passed = new Promise<void>((resolve, reject) => {
    settle = { pass: resolve, fail: reject }
  })
  return {
    passed,
    isPassed: () => isPassed,
    pass() {
      isPassed = true
      settle.pass()
    },
    fail: settle.fail,
  }
}
