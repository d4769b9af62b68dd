/** Returns a text that is equal for equal values, because components create new objects at each render. */
export function keyOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    ArrayBuffer.isView(part) ? Array.from(part as unknown as ArrayLike<number>) : part,
  )
}
