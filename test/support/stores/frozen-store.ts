/**
 * Stores written by released versions: the database's own bytes, with its export. `npx tsx
 * test/support/stores/frozen-store.ts` freezes one of the newest version; an existing one is never written again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { SqliteDatabase } from '../../../worker/sqlite/sqlite-database.ts'
import { migrations } from '../../../worker/store/migrate.ts'
import { exported, openRich } from './portable.ts'

const folder = new URL('../../fixtures/stores/', import.meta.url)

export interface FrozenStore {
  readonly version: number
  readonly database: Uint8Array
  readonly exported: Uint8Array<ArrayBuffer>
}

export function frozenStores(): readonly FrozenStore[] {
  return readdirSync(folder)
    .flatMap((name) => /^v(\d+)\.sqlite\.gz$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((version) => ({
      version,
      database: read(`v${version}.sqlite.gz`),
      exported: read(`exports/v${version}.export.gz`),
    }))
}

function read(name: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(gunzipSync(readFileSync(new URL(name, folder))))
}

/** Replaces an empty database in memory by these bytes. */
export function thaw({ sqlite3, pointer }: SqliteDatabase, bytes: Uint8Array): void {
  const { capi, wasm } = sqlite3
  const address = wasm.allocFromTypedArray(bytes)
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE
  const code = capi.sqlite3_deserialize(pointer, 'main', address, bytes.length, bytes.length, flags)
  if (code !== 0) throw new Error(`sqlite3_deserialize answered ${code}`)
}

async function freeze(): Promise<void> {
  const version = migrations.length
  const at = (suffix: string) => new URL(`${suffix === 'export' ? 'exports/' : ''}v${version}.${suffix}.gz`, folder)
  if (existsSync(at('sqlite'))) throw new Error(`A store of version ${version} is frozen already.`)
  const opened = await openRich(40, 1)
  await opened.call('compact', {})
  const { sqlite3, pointer } = opened.database
  writeFileSync(at('sqlite'), gzipSync(sqlite3.capi.sqlite3_js_db_export(pointer), { level: 9 }))
  writeFileSync(at('export'), gzipSync(await exported(opened), { level: 9 }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await freeze()
