/** Stores with `history`, opened like an app opens them: versions, moments of the past, and what forgetting leaves of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { OpenOptions } from '../../../src/client/api/open-options.ts'
import type { Recall } from '../../../src/client/api/recall.ts'
import { openRecall } from '../../../src/index.ts'

const open: Recall[] = []
const folders: string[] = []
let clock = 1_000_000

async function opened(options: OpenOptions = {}): Promise<Recall> {
  const recall = await openRecall({ embedder: null, history: true, now: () => clock, ...options })
  open.push(recall)
  return recall
}

afterEach(async () => {
  for (const recall of open.splice(0)) await recall.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  clock = 1_000_000
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-history-'))
  folders.push(folder)
  return folder
}

async function moved(recall: Recall): Promise<void> {
  await recall.put({ id: 'home', body: 'Anna lives in Berlin' })
  clock += 1000
  await recall.put({ id: 'home', body: 'Anna lives in Hamburg' })
  clock += 1000
}

test('[H4] a store with history has the versions of a record, newest first', async () => {
  const recall = await opened({ storage: 'memory', name: 'versions' })
  await moved(recall)
  await recall.acknowledge(['home'], { home: 'acted' })
  const versions = await recall.versions('home')
  expect(versions.map(({ from, until, record }) => [from, until, record.body])).toEqual([
    [1_001_000, null, 'Anna lives in Hamburg'],
    [1_000_000, 1_001_000, 'Anna lives in Berlin'],
  ])
  expect(await recall.versions('unknown')).toEqual([])
  await expect(recall.versions(7 as never)).rejects.toThrow('string')
  const { history } = await recall.status()
  expect(history).toMatchObject({ since: null, versions: 2 })
})

test('[H4] a store without history says how to get one', async () => {
  const recall = await opened({ storage: 'memory', name: 'without', history: false })
  await moved(recall)
  await expect(recall.versions('home')).rejects.toThrow('history: true')
  expect((await recall.status()).history).toBeNull()
  await expect(openRecall({ storage: 'memory', history: 'yes' as never })).rejects.toThrow('history')
})

test('[H4] the past knows its own words, links and validity, and learns nothing', async () => {
  const recall = await opened({ storage: 'memory', name: 'past' })
  await recall.put({ id: 'offer', body: 'the offer of the week', validUntil: 1_000_500 })
  await moved(recall)
  expect((await recall.recall({ text: 'Anna lives', asOf: 1_000_500 })).hits[0]?.record.body).toContain('Berlin')
  expect((await recall.recall({ text: 'Hamburg', asOf: 1_000_999 })).hits).toEqual([])
  expect((await recall.recall({ text: 'Hamburg', asOf: 1_001_000 })).hits).toHaveLength(1)
  expect((await recall.recall({ text: 'Hamburg' })).hits).toHaveLength(1)
  expect((await recall.recall({ text: 'offer', asOf: 1_000_400 })).hits).toHaveLength(1)
  expect((await recall.recall({ text: 'offer', asOf: 1_000_600 })).hits).toEqual([])
  expect((await recall.recall({ text: 'Anna', asOf: 900_000 })).hits).toEqual([])
  const why = await recall.why({ text: 'Berlin', asOf: 1_000_500 }, 'home')
  expect(why.selected).toBe(true)
  const past = { text: 'Berlin', asOf: 1_000_500 }
  expect((await recall.assemble(past)).formatted).toContain('Berlin')
  await expect(recall.assemble({ ...past, commitEffects: true })).rejects.toThrow('asOf')
})

test('[H4] [W3] forgetting erases the versions from the file, also what others say of the record', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'store.sqlite')
  const recall = await opened({ path })
  await moved(recall)
  await recall.put({ id: 'other', body: 'the other one' })
  await recall.link('home', 'other')
  clock += 1000
  await recall.put({ id: 'other', body: 'the other one again' })
  await recall.recall({ text: 'Berlin', asOf: 1_000_500 })
  const holds = (text: string) => readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text))
  await recall.compact()
  // Control: the earlier text is there before.
  expect(holds('lives in Berlin')).toBe(true)
  await recall.forget('home')
  expect(await recall.verifyForgotten('home')).toMatchObject({ clean: true })
  expect((await recall.recall({ text: 'Berlin', asOf: 1_000_500 })).hits).toEqual([])
  expect(await recall.versions('home')).toEqual([])
  expect((await recall.recall({ text: 'other', asOf: clock - 500 })).hits).toHaveLength(1)
  expect((await recall.integrityCheck()).ok).toBe(true)
  await recall.close()
  expect(holds('lives in Berlin')).toBe(false)
  expect(holds('Anna')).toBe(false)
})

test('[H4] history survives a restart, and says what it does not know', async () => {
  const path = join(temporaryFolder(), 'store.sqlite')
  const plain = await opened({ path, history: false })
  await moved(plain)
  await plain.close()
  const recall = await opened({ path })
  clock += 1000
  await recall.put({ id: 'home', body: 'Anna lives in Rome' })
  await recall.close()
  const again = await opened({ path })
  expect((await again.versions('home')).map(({ from, record }) => [from, record.body])).toEqual([
    [1_003_000, 'Anna lives in Rome'],
    [null, 'Anna lives in Hamburg'],
  ])
  expect((await again.recall({ text: 'Anna', asOf: 1_002_000 })).hits[0]?.record.body).toContain('Hamburg')
  // Before the history: the earliest known state, by creation and validity.
  expect((await again.recall({ text: 'Anna', asOf: 1_000_500 })).hits[0]?.record.body).toContain('Hamburg')
  expect((await again.recall({ text: 'Anna', asOf: 999_000 })).hits).toEqual([])
  await again.close()
  const without = await opened({ path, history: false })
  clock += 1000
  await without.put({ id: 'home', body: 'Anna lives in Oslo' })
  await without.close()
  const after = await opened({ path })
  // The write without history was not kept, so the time before it is not known.
  expect((await after.recall({ text: 'Anna', asOf: 1_003_000 })).hits[0]?.record.body).toContain('Oslo')
})

test('[H4] [K1] a locked store seals its versions', async () => {
  const folder = temporaryFolder()
  const recall = await opened({ path: join(folder, 'store.sqlite'), lock: { passphrase: 'correct horse battery' } })
  await moved(recall)
  expect((await recall.recall({ text: 'Anna', asOf: 1_000_500 })).hits[0]?.record.body).toContain('Berlin')
  await recall.close()
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes('Berlin')).toBe(false)
})
