/** Compares sets of words. */

export function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isPart(a, b)
}

/** Whether every element of `a` is in `b`. */
export function isPart(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const name of a) if (!b.has(name)) return false
  return true
}

/** Whether each has a word that the other lacks. */
export function differs(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size > 0 && b.size > 0 && !isPart(a, b) && !isPart(b, a)
}
