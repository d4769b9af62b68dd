/**
 * Notes the keys of all rows that a write changes, by temporary triggers on the tables that an export reads. A transaction that is
 * rolled back leaves extra keys; their rows are then shipped unchanged.
 */
import { type BlockKey, blockKinds } from '../../src/protocol/blocks.ts'
import { first } from '../sqlite/database.ts'
import { defineFunction } from '../sqlite/define-function.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { exportTriggers } from '../store/export/export.ts'

export interface ChangeTracker {
  /** The changed keys, in no particular order. */
  keys(): readonly BlockKey[]
  isEmpty(): boolean
  clear(): void
}

export function trackChanges(database: SqliteDatabase): ChangeTracker {
  const changed = {
    record: new Set<string>(),
    file: new Set<string>(),
    tombstone: new Set<string>(),
    operation: new Set<string>(),
  }
  const kinds = Object.keys(changed) as (keyof typeof changed)[]
  defineFunction(database, { name: 'ship_keep', length: 1 }, (key) => {
    const id = first(database, `SELECT id FROM records WHERE key = ?`, [Number(key)], (row) => row.text(0))
    if (id !== undefined) changed.record.add(id)
    return null
  })
  // As hexadecimal digits, because texts with a NUL would be cut off.
  for (const kind of ['file', 'tombstone', 'operation'] as const)
    defineFunction(database, { name: `ship_${kind}s`, length: 1 }, (hex) => {
      changed[kind].add(textOf(String(hex)))
      return null
    })
  for (const statement of [...exportTriggers.filter((own) => !own.startsWith('export_new ')), ...moreTriggers])
    database.execute(`CREATE TEMP TRIGGER ${statement.replaceAll('export_', 'ship_').replaceAll(texts, '$1(hex($2))')}`)
  return {
    keys: () => kinds.flatMap((kind) => [...changed[kind]].map((id) => ({ kind: blockKinds[kind], id }))),
    isEmpty: () => kinds.every((kind) => changed[kind].size === 0),
    clear() {
      for (const kind of kinds) changed[kind].clear()
    },
  }
}

function textOf(hex: string): string {
  return decoder.decode(
    Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)),
  )
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const texts = /\b(ship_(?:files|tombstones|operations))\(([a-z.]+)\)/g

const moreTriggers: readonly string[] = [
  // An export needs the row before; here the row must have its key.
  `ship_new AFTER INSERT ON main.records BEGIN SELECT ship_keep(new.key); END`,
  `ship_operation_new BEFORE INSERT ON main.operations BEGIN SELECT ship_operations(new.operation); END`,
  `ship_operation_gone BEFORE DELETE ON main.operations BEGIN SELECT ship_operations(old.operation); END`,
]
