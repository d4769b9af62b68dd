/** Contracts as plain cases that throw: they run under any test runner, in Node, in a page and in a worker. */

export interface ContractCase<Create> {
  readonly name: string
  /** Rejects when the promise is broken. */
  readonly run: (create: Create) => Promise<void>
}

/**
 * Hands each case to a runner's `test`, for instance vitest's: `runContract(test, embedderContract, () => myEmbedder())`.
 * `create` makes what is tested, a new one for each case.
 */
export function runContract<Create>(
  test: (name: string, run: () => Promise<void>) => unknown,
  cases: readonly ContractCase<Create>[],
  create: Create,
): void {
  for (const { name, run } of cases) test(name, () => run(create))
}

/** Throws, with both values, unless they are the same as JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: expected ${other}, got ${one}`)
}

export function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}
