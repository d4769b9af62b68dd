/** The method table: how callers treat each method of the engine. The functions themselves are in `worker/engine/methods.ts`. */
import type { Arguments, Method } from './engine-api.ts'

interface MethodRules {
  /**
   * Changes records or what they learned. Stores its operation id in its transaction, so that a repeated call does it once. Without an id it
   * must not be repeated.
   */
  readonly writes?: true
  /** Takes longer than other methods, because it reads the whole store. */
  readonly isLong?: true
}

const writing: MethodRules = { writes: true }
const long: MethodRules = { isLong: true }
const longWriting: MethodRules = { writes: true, isLong: true }

/** The methods that are not plain reads. The page loads this table, so it is short. */
const rules = {
  put: writing,
  patch: writing,
  forget: writing,
  checkFiles: writing,
  // It writes if it commits effects.
  assemble: writing,
  acknowledge: writing,
  link: writing,
  strengthen: writing,
  weakenLinks: writing,
  predict: writing,
  resolvePrediction: writing,
  expireProposals: writing,
  finishImport: longWriting,
  retain: longWriting,
  compact: long,
  integrityCheck: long,
} as const satisfies { readonly [M in Method]?: MethodRules }

/** Plain reads, and maintenance that is idempotent: it only adds missing data, or removes data that must go. */
const plain: Readonly<Record<Exclude<Method, keyof typeof rules>, MethodRules>> = {
  get: {},
  versions: {},
  list: {},
  count: {},
  facets: {},
  suggest: {},
  tags: {},
  verifyForgotten: {},
  recall: {},
  assess: {},
  about: {},
  related: {},
  why: {},
  linked: {},
  predictionErrors: {},
  proposals: {},
  events: {},
  exportPart: {},
  endExport: {},
  importPart: {},
  endImport: {},
  embedNext: {},
  attachVectors: {},
  status: {},
  locks: {},
  storedLocks: {},
  lockNow: {},
  close: {},
  destroy: {},
}

/** Methods whose `query` a policy decides. */
const asking: ReadonlySet<Method> = new Set(['recall', 'assemble', 'assess', 'about', 'why'])

export function methodNames(): readonly Method[] {
  return [...Object.keys(rules), ...Object.keys(plain)] as Method[]
}

export function isMethod(name: unknown): name is Method {
  return typeof name === 'string' && (Object.hasOwn(rules, name) || Object.hasOwn(plain, name))
}

export function usesPolicy(method: Method): boolean {
  return asking.has(method)
}

/** Whether a request may be repeated if its answer was lost because the leader tab ended. A write needs an operation id. */
export function mayRepeat(method: Exclude<Method, 'close'>, operation: string | undefined): boolean {
  return rulesOf(method)?.writes !== true || operation !== undefined
}

/**
 * Whether a request may change records or what they learned. If its caller aborts, only the engine knows whether that was done.
 * Idempotent maintenance (`embedNext`, `compact`, …) does not count, because it can always be repeated.
 */
export function mayWrite(method: Method, request: unknown): boolean {
  if (method !== 'assemble') return rulesOf(method)?.writes === true
  return (request as Partial<Arguments<'assemble'>> | undefined)?.query?.commitEffects === true
}

/** Returns the deadline of a method (ms). Long methods get 60 times as long. */
export function deadlineOf(method: Method, deadlineMs: number): number {
  return rulesOf(method)?.isLong === true ? 60 * deadlineMs : deadlineMs
}

function rulesOf(method: Method): MethodRules | undefined {
  return (rules as { readonly [M in Method]?: MethodRules })[method]
}
