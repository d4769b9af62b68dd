/**
 * integrityCheck: each part by itself, so that one that is broken does not hide the others; with `repair`, what follows
 * from the records is made anew and looked at again. The database file itself is never touched: that is what exports are for.
 * Storage that fails meanwhile is no damage: the whole call is refused with its error, and nothing is repaired.
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { IntegrityReport, IntegrityState } from '../../src/core/model/result.ts'
import type { Ports } from '../ports.ts'
import { isDamage } from '../store/integrity.ts'
import type { CheckedPart } from '../store/port.ts'

export interface IntegrityRequest {
  readonly repair?: boolean | undefined
}

/** Records first: text index and codes are made from them. */
const parts = ['sqlite', 'derived', 'fts', 'vectors'] as const satisfies readonly CheckedPart[]

export function integrityCheck(ports: Ports, { repair = false }: IntegrityRequest): IntegrityReport {
  if (typeof repair !== 'boolean') {
    const cure = 'Give true or false, or leave it out.'
    throw recallError('INVALID_ARGUMENT', 'is not a boolean', { field: 'repair', value: repair, cure })
  }
  const problems: string[] = []
  const states = new Map<CheckedPart, IntegrityState>()
  for (const [done, part] of parts.entries()) {
    ports.emit({ type: 'progress', operation: 'integrityCheck', done, total: parts.length })
    const found = check(ports, part)
    problems.push(...found.slice(0, mostProblems).map((problem) => `${part}: ${problem}`))
    if (found.length === 0) states.set(part, part === 'vectors' && !hasVectors(ports) ? 'not built' : 'ok')
    else states.set(part, repair && isRepaired(ports, part) ? 'repaired' : 'damaged')
  }
  ports.emit({ type: 'progress', operation: 'integrityCheck', done: parts.length, total: parts.length })
  const state = (part: CheckedPart) => states.get(part) as IntegrityState
  return {
    ok: ![...states.values()].includes('damaged'),
    sqlite: state('sqlite'),
    fts: state('fts'),
    vectors: state('vectors'),
    derived: state('derived'),
    problems,
  }
}

const mostProblems = 100

function check(ports: Ports, part: CheckedPart): readonly string[] {
  try {
    const rows = ports.store.check(part)
    // With vectors that are damaged there is nothing to compare the index with.
    return part === 'vectors' && rows.length === 0 ? checkIndex(ports) : rows
  } catch (error) {
    if (isDamage(error)) return [error.message]
    throw error
  }
}

function isRepaired(ports: Ports, part: CheckedPart): boolean {
  if (part === 'sqlite') return false
  try {
    ports.store.repair(part)
    if (part === 'vectors') refill(ports)
  } catch (error) {
    // Of what cannot be read nothing is made anew.
    if (isDamage(error)) return false
    throw error
  }
  return check(ports, part).length === 0
}

function hasVectors({ store, index }: Ports): boolean {
  const { current, otherSpaces } = store.vectorCounts()
  return index !== null || current + otherSpaces > 0
}

/** The index against the stored vectors: each is found where it is, as near to itself as it can be. */
function checkIndex({ store, index }: Ports): readonly string[] {
  if (index === null) return []
  const keys = new Map<number, number>()
  store.eachCode((key) => keys.set(key, (keys.get(key) ?? 0) + 1))
  const rows = [...keys.values()].reduce((sum, pieces) => sum + pieces, 0)
  if (index.rows() !== rows) return [`the index holds ${index.rows()} vectors, the store ${rows}`]
  let wrong = 0
  for (const key of keys.keys()) if (!index.has(key) || !findsItself({ store, index }, key)) wrong++
  return wrong === 0 ? [] : [`${wrong} records are not in the index as they are stored`]
}

function findsItself(
  { store, index }: Pick<Ports, 'store'> & { readonly index: NonNullable<Ports['index']> },
  key: number,
) {
  let isFound = true
  const own = Uint32Array.of(key)
  store.vectorsOf(key, (vector) => {
    const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
    if (norm === 0 || !isFound) return
    const { estimates, margins } = index.estimate(
      vector.map((x) => x / norm),
      own,
    )
    isFound = (estimates[0] as number) + (margins[0] as number) >= 1 - slack
  })
  return isFound
}

/** Of float32 arithmetic in a norm. */
const slack = 1e-4

function refill({ store, index }: Ports): void {
  if (index === null) return
  index.clear()
  const codes = new Map<number, Uint8Array[]>()
  store.eachCode((key, code) => {
    const own = codes.get(key)
    if (own === undefined) codes.set(key, [code.slice()])
    else own.push(code.slice())
  })
  for (const [key, own] of codes) index.add(key, own)
}
