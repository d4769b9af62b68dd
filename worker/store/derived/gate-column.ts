/**
 * What may exclude records from a question: status, validity, codes and risks, by key. Remembers which records the last rule excluded,
 * because the same rule asks at every question, and a third of a store may be superseded.
 */
import { keySetOf } from '../../../src/core/collections/key-set.ts'
import type { GateFacts } from '../../../src/core/model/facts.ts'
import { reasonCodes } from '../../../src/core/model/reason-codes.ts'
import { riskFlags } from '../../../src/core/model/risk-flags.ts'
import type { Database, Row } from '../../sqlite/database.ts'
import type { ExcludedKeys, GateRule } from '../port/columns.ts'
import { type Column, createSparse } from './sparse-column.ts'

export interface GateColumn extends Column {
  readonly entries: ReadonlyMap<number, GateFacts>
  excluded(rule: GateRule): ExcludedKeys
}

export function createGateColumn(database: Database): GateColumn {
  const facts = createSparse(database, gatesSql, readGate, mergeGates)
  let last: (ExcludedKeys & { readonly name: string; readonly from: number; readonly before: number }) | null = null
  return {
    ...facts,
    // Before a record is read again, it is forgotten.
    forget(key) {
      last = null
      facts.forget(key)
    },
    excluded({ name, at, excludes }) {
      if (last?.name === name && last.from <= at && at < last.before) return last
      const members = new Set<number>()
      let [from, before] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (const [key, known] of facts.entries) {
        if (excludes(known)) members.add(key)
        for (const time of [known.validFrom, known.validUntil, known.expiresAt]) {
          if (time === null) continue
          if (time <= at) from = Math.max(from, time)
          else before = Math.min(before, time)
        }
      }
      const sorted = Uint32Array.from(members).sort()
      last = { name, from, before, members, keys: keySetOf(sorted, (sorted.at(-1) ?? 0) + 1) }
      return last
    },
  }
}

const named = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
const excludeCodes = Object.entries(reasonCodes).filter(([, { category }]) => category === 'exclude')
const blockFlags = Object.entries(riskFlags).filter(([, { severity }]) => severity === 'block')

const gatesSql = `
  SELECT r.key, r.status, r.superseded_by, r.valid_from, r.valid_until, r.expires_at, NULL, 0 FROM records r
    WHERE (r.status <> 'active' OR r.valid_from IS NOT NULL OR r.valid_until IS NOT NULL OR r.expires_at IS NOT NULL) :one
  UNION ALL SELECT r.key, NULL, NULL, NULL, NULL, NULL, r.code, 0 FROM reasons r
    WHERE r.code IN (${named(excludeCodes.map(([code]) => code))}) :one
  UNION ALL SELECT r.key, NULL, NULL, NULL, NULL, NULL, NULL, 1 FROM risks r
    WHERE r.flag IN (${named(blockFlags.map(([flag]) => flag))}) :one`

type GatePart = Omit<GateFacts, 'status' | 'codes'> & { readonly status: string | null; readonly code: string | null }

function readGate(row: Row): GatePart {
  return {
    status: row.textOrNull(1),
    supersededBy: row.textOrNull(2),
    validFrom: row.numberOrNull(3),
    validUntil: row.numberOrNull(4),
    expiresAt: row.numberOrNull(5),
    code: row.textOrNull(6),
    blocked: row.number(7) === 1,
  }
}

function mergeGates(parts: readonly GatePart[]): GateFacts {
  const own = parts.find((part) => part.status !== null)
  return {
    status: own?.status ?? 'active',
    supersededBy: own?.supersededBy ?? null,
    validFrom: own?.validFrom ?? null,
    validUntil: own?.validUntil ?? null,
    expiresAt: own?.expiresAt ?? null,
    codes: parts.flatMap(({ code }) => code ?? []),
    blocked: parts.some((part) => part.blocked),
  }
}
