/** Runs the storage contract for a store in a file, over the file system of Node. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { storageContract } from '../../src/testing/storage-contract.ts'
import { nodeDisk } from '../../worker/node/node-disk.ts'
import { initSqlite } from '../../worker/sqlite/init-sqlite.ts'
import { directoryName } from '../../src/protocol/store-directory.ts'
import { openFile } from '../../worker/storage/file/file.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-contract-'))

afterAll(() => rmSync(folder, { recursive: true }))

describe('file storage', () => {
  test.each(storageContract)('$name', async ({ run }) => {
    const sqlite3 = await initSqlite()
    await run((name) => openFile(sqlite3, nodeDisk, join(folder, directoryName(name))))
  })
})
