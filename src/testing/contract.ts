/** Runs contracts: lists of test cases that work in any test runner, in Node, in a page and in a worker. */

export interface ContractCase<Create> {
  readonly name: string
  /** Rejects if the guarantee does not hold. */
  readonly run: (create: Create) => Promise<void>
}

/**
 * Passes each case to a runner's `test`, for example vitest's: `runContract(test, embedderContract, () => myEmbedder())`.
 * `create` returns a new object to test; it is called in each case.
 */
export function runContract<Create>(
  test: (name: string, run: () => Promise<void>) => unknown,
  cases: readonly ContractCase<Create>[],
  create: Create,
): void {
  for (const { name, run } of cases) test(name, () => run(create))
}

/** Throws an error with both values if they differ as JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: expected ${other}, got ${one}`)
}

export function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}
