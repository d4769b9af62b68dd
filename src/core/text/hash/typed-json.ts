/**
 * Values as JSON that loses nothing: typed arrays, maps and numbers such as NaN are written as objects with one marker, `$…`. The same value
 * gives the same JSON.
 */

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

const arrays = { $f64: Float64Array, $f32: Float32Array, $i32: Int32Array, $u8: Uint8Array } as const
type Marker = keyof typeof arrays
type Column = InstanceType<(typeof arrays)[Marker]>

/** No array of facts is longer. A marker in a hostile file could ask for any amount of memory. */
const mostElements = 4_194_304

/** Members that are undefined are left out. Throws a TypeError for functions, symbols, bigints and other classes. */
export function toTypedJson(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return isPlain(value) ? value : { $number: nameOf(value) }
  if (Array.isArray(value)) return value.map((one) => toTypedJson(one ?? null))
  if (value instanceof Map) return { $map: Array.from(value, ([key, one]) => [toTypedJson(key), toTypedJson(one)]) }
  if (ArrayBuffer.isView(value)) return columnToJson(value)
  if (typeof value !== 'object' || !isPlainPrototype(value)) throw new TypeError(`A ${typeof value} has no JSON.`)
  const members = Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, toTypedJson(one)]]))
  // A record's metadata may have names that begin like a marker.
  if (members.some(([key]) => (key as string).startsWith('$'))) return { $object: members as JsonValue[] }
  return Object.fromEntries(members) as JsonValue
}

/** The value of `toTypedJson`. Throws a TypeError for markers that it does not write. */
export function fromTypedJson(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(fromTypedJson)
  const members = Object.entries(json)
  const [marker, content] = members[0] ?? ['', null]
  if (!marker.startsWith('$')) return Object.fromEntries(members.map(([key, one]) => [key, fromTypedJson(one)]))
  if (marker === '$number') return numberOf(content)
  if (marker === '$map') return new Map(pairsOf(content).map(([key, one]) => [fromTypedJson(key), fromTypedJson(one)]))
  if (marker === '$object') return Object.fromEntries(pairsOf(content).map(([key, one]) => [key, fromTypedJson(one)]))
  if (Object.hasOwn(arrays, marker)) return columnOf(marker as Marker, json as Readonly<Record<string, unknown>>)
  throw new TypeError(`${marker} is unknown.`)
}

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0)
}

function nameOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function numberOf(json: unknown): number {
  if (typeof json === 'number') return json
  if (json === 'NaN' || json === 'Infinity' || json === '-Infinity' || json === '-0') return Number(json)
  throw new TypeError('A number must be finite, NaN, Infinity, -Infinity or -0.')
}

/** Columns of facts often hold one value. */
function columnToJson(view: ArrayBufferView): JsonValue {
  const marker = (Object.keys(arrays) as Marker[]).find((name) => view instanceof arrays[name])
  if (marker === undefined) throw new TypeError(`A ${view.constructor.name} has no JSON.`)
  const column = view as Column
  const [first] = column
  if (first !== undefined && column.length > 1 && column.every((one: number) => Object.is(one, first)))
    return { [marker]: [elementOf(first)], times: column.length }
  return { [marker]: Array.from(column, elementOf) }
}

function elementOf(value: number): JsonValue {
  return isPlain(value) ? value : nameOf(value)
}

function columnOf(marker: Marker, json: Readonly<Record<string, unknown>>): Column {
  const { [marker]: elements, times = 1 } = json
  const isCount = Number.isInteger(times) && (times as number) >= 1 && (times as number) <= mostElements
  if (!Array.isArray(elements) || elements.length > mostElements || !isCount)
    throw new TypeError(`${marker} must be an array of at most ${mostElements} numbers.`)
  if (times === 1) return new arrays[marker](elements.map(numberOf))
  return new arrays[marker](times as number).fill(numberOf(elements[0]))
}

function pairsOf(json: unknown): readonly (readonly [PropertyKey & string, unknown])[] {
  if (Array.isArray(json) && json.every((pair) => Array.isArray(pair) && pair.length === 2)) return json
  throw new TypeError('A map must be an array of pairs.')
}

function isPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
