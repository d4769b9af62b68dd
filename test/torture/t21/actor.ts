/**
 * A process that opens a store and carries out one command after the other. Arguments: the URL of the engine, and `blind` for the control, in which a path seems to name the
 * file that it named first. Commands and answers are lines of JSON; an answer has the number of its command.
 */
import fs, { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
import type { Recall } from '../../../src/index.ts'

export type Command =
  | { readonly do: 'open'; readonly path: string }
  | { readonly do: 'put'; readonly records: readonly { readonly id: string; readonly body: string }[] }
  | { readonly do: 'patch'; readonly id: string; readonly body: string }
  | { readonly do: 'forget'; readonly ids: readonly string[] }
  | { readonly do: 'compact' | 'status' | 'list' | 'check' | 'close' }

export interface Failure {
  readonly name: string
  readonly code: string | null
  readonly message: string
  readonly hint: string | null
}

export type Answer =
  | { readonly number: number; readonly value: unknown; readonly ms: number }
  | { readonly number: number; readonly failure: Failure; readonly ms: number }

/** The value of `open`. */
export interface Opened {
  readonly role: string
  readonly degraded: readonly string[]
  /** Bodies by id. */
  readonly records: Readonly<Record<string, string>>
}

if (process.argv[3] === 'blind') {
  const { lstatSync, openSync } = fs
  const seen = new Map<string, fs.BigIntStats>()
  const blindStat = (path: fs.PathLike, options?: fs.StatSyncOptions) => {
    const now = lstatSync(path, options)
    const name = String(path)
    if (options?.bigint !== true || !/\.sqlite(?:-wal|-revision)?$/.test(name)) return now
    const known = seen.get(name) ?? (now as fs.BigIntStats | undefined)
    if (known === undefined) return undefined
    seen.set(name, known)
    if (now !== undefined && BigInt(now.ino) === known.ino && BigInt(now.dev) === known.dev) return now
    // What is at the path now may be shorter.
    return { dev: known.dev, ino: known.ino, size: 1n << 40n }
  }
  const openSeen = (path: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode) => {
    seen.delete(String(path))
    return openSync(path, flags, mode)
  }
  Object.assign(fs, { lstatSync: blindStat, openSync: openSeen })
  syncBuiltinESMExports()
}

const { openRecall } = (await import(process.argv[2]!)) as typeof import('../../../src/index.ts')
let recall: Recall | null = null

async function recordsOf(store: Recall): Promise<Opened['records']> {
  const records: Record<string, string> = {}
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<Recall['list']>> = await store.list({ limit: 1000, cursor })
    for (const { id, body } of page.items) records[id] = body ?? ''
    cursor = page.nextCursor
  } while (cursor !== null)
  return records
}

async function carryOut(command: Command): Promise<unknown> {
  if (command.do === 'open') {
    const opened = await openRecall({ path: command.path, embedder: null })
    try {
      const { role, degraded } = await opened.status()
      const records = await recordsOf(opened)
      recall = opened
      return { role, degraded, records } satisfies Opened
    } catch (error) {
      // A store that cannot be read counts as one that cannot be opened.
      await opened.close().catch(() => undefined)
      throw error
    }
  }
  if (recall === null) throw new Error('no store is open')
  if (command.do === 'put') return (await recall.put(command.records)).durability
  if (command.do === 'patch') return (await recall.patch(command.id, { body: command.body })).durability
  if (command.do === 'forget') return (await recall.forget(command.ids)).durability
  if (command.do === 'compact') return recall.compact()
  if (command.do === 'status') return recall.status()
  if (command.do === 'list') return recordsOf(recall)
  if (command.do === 'check') return recall.integrityCheck()
  const closing = recall
  recall = null
  return closing.close()
}

// The parent has ended.
process.stdin.on('end', () => process.exit())
let turn = Promise.resolve()
createInterface({ input: process.stdin }).on('line', (line) => {
  const { number, command } = JSON.parse(line) as { readonly number: number; readonly command: Command }
  turn = turn.then(async () => {
    const begin = performance.now()
    const say = (answer: object) =>
      writeSync(1, `${JSON.stringify({ number, ...answer, ms: Math.round(performance.now() - begin) })}\n`)
    try {
      say({ value: (await carryOut(command)) ?? null })
    } catch (error) {
      const { name, code = null, message, hint = null } = error as Error & Partial<Failure>
      say({ failure: { name, code, message, hint } })
    }
  })
})
