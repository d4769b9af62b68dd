/** A value as text, for comparing what a component wrote down anew with what it wrote before. */
export function keyOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    ArrayBuffer.isView(part) ? Array.from(part as unknown as ArrayLike<number>) : part,
  )
}
