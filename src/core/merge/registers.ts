/** Named values of which the latest one counts: predictions and proposals of a record, states of files. */
import { canonicalJson } from '../text/hash/canonical.ts'
import { compareCodePoints } from '../text/hash/code-point-order.ts'
import { compareStamps, type Stamp } from './stamp.ts'

export interface Register<T> {
  readonly name: string
  readonly stamp: Stamp
  /** JSON; null: the value was removed. */
  readonly value: T | null
}

/** By name. */
export type Registers<T> = readonly Register<T>[]

export function setRegister<T>(registers: Registers<T>, register: Register<T>): Registers<T> {
  return mergeRegisters(registers, [register])
}

/** Of each name the greatest stamp; of equal stamps the greater canonical JSON. */
export function mergeRegisters<T>(a: Registers<T>, b: Registers<T>): Registers<T> {
  const merged = new Map(a.map((register) => [register.name, register]))
  for (const register of b) {
    const other = merged.get(register.name)
    if (other === undefined || compareRegisters(register, other) > 0) merged.set(register.name, register)
  }
  return [...merged.values()].sort((x, y) => compareCodePoints(x.name, y.name))
}

function compareRegisters<T>(a: Register<T>, b: Register<T>): number {
  return compareStamps(a.stamp, b.stamp) || compareCodePoints(canonicalJson(a.value), canonicalJson(b.value))
}
