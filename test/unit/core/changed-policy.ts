/** Policies with one part replaced. */
/** A copy with one part, named by its path, changed or (undefined) removed. */
export function withPart(policy: object, path: string, value: unknown): unknown {
  const [first, ...rest] = path.split('.')
  const copy = { ...policy } as Record<string, unknown>
  if (rest.length > 0) copy[first!] = withPart(copy[first!] as object, rest.join('.'), value)
  else if (value === undefined) delete copy[first!]
  else Object.defineProperty(copy, first!, { value, enumerable: true })
  return copy
}

export function other(value: number, path: readonly string[]): number {
  if (path[0] === 'depths') return value === 0 ? 1000 : value + 1
  if (path.at(-1) === 'reserveProactive') return value + 1
  if (path.at(-1) === 'weakLimit' || (Number.isInteger(value) && value >= 2 && value < 1e9)) return value + 1
  return value === 0 ? 0.001 : value * 0.99
}
