/** Reads values of JSON whose shape another program decides. */

export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as text: empty for nothing, JSON for objects, the texts of a list of parts. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    const texts = value.map((one) => (isObject(one) && typeof one['text'] === 'string' ? one['text'] : textOf(one)))
    return texts.filter((text) => text !== '').join('\n')
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number)
}
