/**
 * Keeps the databases of closed stores in files, so that opening such a store again does not import all its rows. Each file is encrypted with a
 * key of its own that only this process's memory has: a file that is left behind cannot be read.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promises } from 'node:fs'
import { join } from 'node:path'
import type { KeptStore } from '../../protocol/blocks.ts'
import type { ResolvedCache } from '../common/options.ts'

export interface Cache {
  /** Removes the file of a store, and resolves to its content; undefined if there is none. */
  take(tenant: string): Promise<KeptStore | undefined>
  keep(tenant: string, store: KeptStore): Promise<void>
  /** Deletes files that are older than the limit. */
  expire(): Promise<void>
  /** Deletes all files; later `keep` does nothing. */
  close(): Promise<void>
}

interface File {
  readonly path: string
  readonly key: Uint8Array
  readonly birth: string | null
  readonly bytes: number
  readonly writtenAt: number
}

const { mkdir, readdir, readFile, rm, writeFile } = promises
const ending = '.scrubjay-cache'
const tagBytes = 16
/** A key encrypts only one file, so the nonce may always be the same. */
const nonce = new Uint8Array(12)

/** Deletes the files that an earlier process left in the folder. */
export async function openCache({ folder, bytes: most, maxAgeMs }: ResolvedCache): Promise<Cache> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const left = (await readdir(folder)).filter((name) => name.endsWith(ending))
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
  /** The oldest first. */
  const files = new Map<string, File>()
  const writing = new Map<string, Promise<void>>()
  let isClosed = false

  const drop = async (tenant: string): Promise<void> => {
    const file = files.get(tenant)
    files.delete(tenant)
    if (file !== undefined) await rm(file.path, { force: true })
  }
  const write = async (tenant: string, { birth, database }: KeptStore): Promise<void> => {
    if (isClosed || database.length > most) return
    await drop(tenant)
    const key = randomBytes(32)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const encrypted = Buffer.concat([cipher.update(database), cipher.final(), cipher.getAuthTag()])
    const path = join(folder, `${randomBytes(16).toString('hex')}${ending}`)
    try {
      await writeFile(path, encrypted, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    // Another one was written or the server was closed meanwhile.
    await drop(tenant)
    files.set(tenant, { path, key, birth, bytes: database.length, writtenAt: performance.now() })
    let total = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
    for (const [oldest, { bytes }] of files) {
      if (!isClosed && total <= most) break
      total -= bytes
      await drop(oldest)
    }
  }
  return {
    async take(tenant) {
      await writing.get(tenant)?.catch(() => undefined)
      const file = files.get(tenant)
      if (file === undefined) return undefined
      files.delete(tenant)
      const content = await readFile(file.path).catch(() => null)
      await rm(file.path, { force: true })
      if (content === null) return undefined
      const decipher = createDecipheriv('aes-256-gcm', file.key, nonce)
      decipher.setAuthTag(content.subarray(-tagBytes))
      const database = decipher.update(content.subarray(0, -tagBytes))
      try {
        decipher.final()
      } catch {
        // Changed on the disk.
        return undefined
      }
      return { birth: file.birth, database: new Uint8Array(database) }
    },
    async keep(tenant, store) {
      const written = write(tenant, store)
      writing.set(tenant, written)
      try {
        await written
      } finally {
        if (writing.get(tenant) === written) writing.delete(tenant)
      }
    },
    async expire() {
      const limit = performance.now() - maxAgeMs
      for (const [tenant, { writtenAt }] of files) if (writtenAt < limit) await drop(tenant)
    },
    async close() {
      isClosed = true
      await Promise.allSettled(writing.values())
      await Promise.all([...files.keys()].map(drop))
    },
  }
}
