/** A rollback journal next to a store, which SQLite would play back: only the one of a store that is being created counts [R11]. */
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { initSqlite } from '../../../../worker/sqlite/init-sqlite.ts'
import { nodeDisk } from '../../../../worker/node/node-disk.ts'
import type { Disk } from '../../../../worker/storage/file/disk.ts'
import { openFile } from '../../../../worker/storage/file/file.ts'
import { close, folder, ids, openEngine, path, put } from './folder.ts'

/** Creates a store and keeps its rollback journal and its file as they are when the first page is synced. */
async function beginning(): Promise<{ readonly journal: string; readonly file: string }> {
  const [journal, file] = [`${folder}/kept-journal`, `${folder}/kept-file`]
  const spying: Disk = {
    ...nodeDisk,
    open(opened, create) {
      const handle = nodeDisk.open(opened, create)
      const sync = () => {
        handle.sync()
        if (opened !== path || !existsSync(`${path}-journal`) || existsSync(journal)) return
        copyFileSync(`${path}-journal`, journal)
        copyFileSync(path, file)
      }
      return { ...handle, sync }
    },
  }
  const storage = await openFile(await initSqlite(), spying, path)
  await storage.close()
  rmSync(path)
  return { journal, file }
}

test('[R11] the rollback journal of a store whose creation was killed does not empty a store that is restored next to it', async () => {
  const { journal } = await beginning()
  const engine = await openEngine()
  await put(engine, 'kept')
  await close(engine)
  copyFileSync(journal, `${path}-journal`)
  await expect(openEngine()).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    hint: expect.stringContaining(`Remove ${path}-journal`),
  })
  rmSync(`${path}-journal`)
  const again = await openEngine()
  expect(await ids(again)).toEqual(['kept'])
  await close(again)
})

test('[R11] control: a store whose creation was killed is created again', async () => {
  const { journal, file } = await beginning()
  copyFileSync(journal, `${path}-journal`)
  copyFileSync(file, path)
  const engine = await openEngine()
  await put(engine, 'new')
  await close(engine)
  const again = await openEngine()
  expect(await ids(again)).toEqual(['new'])
  await close(again)
})

test('[R11] an empty file of that name is not a journal', async () => {
  const engine = await openEngine()
  await put(engine, 'kept')
  await close(engine)
  writeFileSync(`${path}-journal`, '')
  const again = await openEngine()
  expect(await ids(again)).toEqual(['kept'])
  await close(again)
})
