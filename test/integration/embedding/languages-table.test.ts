/**
 * Checks when the built-in embedder loads its table of other languages, what a store does without it, and that changed `languages` make
 * vectors again.
 */
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { PutReceipt } from '../../../src/core/model/receipts.ts'
import type { Status } from '../../../src/core/model/status.ts'
import { ownTables } from '../../../src/embedders/static-embedder.ts'
import { refuseTable, tableEmbedder } from '../../../src/embedders/table-embedder.ts'
import { languagesTable } from '../../../src/embedders/tables/languages-model.ts'
import { openRecall } from '../../../src/index.ts'
import { builtInSpace } from '../../../src/protocol/embedder.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'

const root = new URL('../../../', import.meta.url)
const embeddingLanguages = new URL('languages/multi-static-128.bin', root)
const missing = pathToFileURL('/no/such/multi-static-128.bin')
const tables = () => ownTables({ languages: embeddingLanguages })

const batch = [
  { id: 'en', body: 'How to reset the password of your account' },
  { id: 'de', body: 'Wie setze ich mein Kennwort zurück, wenn ich es vergessen habe?' },
  { id: 'ru', body: 'Рецепт яблочного пирога с корицей' },
  { id: 'zh', body: '松鸦把橡子藏在树叶下面' },
]

const wide = { languages: ['en', 'de', 'ru', 'zh'] }
const builtIn = { space: builtInSpace, embeds: true }

describe('a store with languages besides English', () => {
  test('[V4] finds text in one language by a question in another, and keeps English vectors', async () => {
    const recall = await openRecall({ storage: 'memory', ...wide, assets: { embeddingLanguages } })
    await recall.put(batch)
    for (const [text, id] of [
      ['forgotten password', 'de'],
      ['apple pie', 'ru'],
      ['a bird hides nuts', 'zh'],
      ['Passwort vergessen', 'en'],
    ] as const) {
      const { hits, plan } = await recall.recall({ text, limit: 2 })
      expect(plan.channels.vector.ran).toBe(true)
      expect(
        hits.map((hit) => hit.id),
        text,
      ).toContain(id)
    }
    const { memoryBytes, vectors, degraded } = await recall.status()
    expect(vectors).toMatchObject({ pending: 0, current: 4 })
    expect(memoryBytes.embedder).toBeGreaterThan(9_000_000)
    expect(degraded.filter((line) => /vector|language/.test(line))).toEqual([])
    await recall.close()
  })

  test('control: with English alone the other table is not loaded, and no Russian question finds English text', async () => {
    const recall = await openRecall({ storage: 'memory', assets: { embeddingLanguages: missing } })
    await recall.put(batch)
    const { hits, plan } = await recall.recall('забыл пароль')
    expect(hits).toEqual([])
    expect(plan.channels.vector).toMatchObject({ ran: false, why: expect.stringMatching(/is not English/) })
    expect((await recall.recall('forgotten password')).plan.channels.vector.ran).toBe(true)
    const { memoryBytes, degraded } = await recall.status()
    expect(memoryBytes.embedder).toBeLessThan(5_000_000)
    expect(degraded.filter((line) => /vector|language/.test(line))).toEqual([])
    await recall.close()
  })

  test('[E1] refuses a table by its path', async () => {
    await expect(openRecall({ assets: { embeddingLanguages: 'here' as never } })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'assets.embeddingLanguages',
    })
  })
})

describe('[E2] without the table of other languages', () => {
  test('English keeps its vectors; other texts are found by their words and get vectors when it is there', async () => {
    let isThere = false
    const bytes = await readFile(embeddingLanguages)
    const read = async () => {
      return isThere ? new Uint8Array(bytes).buffer : refuseTable(languagesTable, undefined, 'status 404')
    }
    const english = new Uint8Array(await readFile(new URL('src/embedders/minilm-static-128.bin', root))).buffer
    const port = tableEmbedder(undefined, {
      read: async () => english,
      languages: { table: undefined, read },
    })
    const over = await openOver({ ...builtIn, ...wide }, port)
    const receipt = (await over.call('put', { batch })) as PutReceipt
    expect(receipt.records.map(({ vectors }) => vectors ?? null)).toEqual([null, 'pending', 'pending', 'pending'])
    expect(receipt.records[1]).toMatchObject({ why: expect.stringMatching(/assets.embeddingLanguages/) })
    const german = await over.call('recall', { query: { text: 'Kennwort vergessen' } })
    expect(german.hits.map(({ id }) => id)).toEqual(['de'])
    expect(german.plan.channels.vector).toMatchObject({
      ran: false,
      why: expect.stringMatching(/could not be embedded: `assets.embeddingLanguages` must lead to/),
    })
    const question = { text: 'what can I do when I forgot the login?' }
    expect((await over.call('recall', { query: question })).plan.channels.vector.ran).toBe(true)
    const { degraded, vectors } = await statusOf(over)
    expect(degraded).toContainEqual(expect.stringMatching(/^texts that are not English use only their words: .*404/))
    expect(degraded).toContainEqual(expect.stringMatching(/^3 of 4 records wait for vectors/))
    expect(vectors).toMatchObject({ current: 1, pending: 3 })
    isThere = true
    await settled(over)
    expect(await statusOf(over)).toMatchObject({ vectors: { current: 4, pending: 0 } })
    const always = await openOver({ ...builtIn, ...wide }, tables())
    await always.call('put', { batch })
    expect(vectorsOf(over)).toEqual(vectorsOf(always))
  })
  test('[E2] without the English table, says that no text gets a vector, even if no text is English', async () => {
    const embedding = pathToFileURL('/no/such/minilm-static-128.bin')
    const recall = await openRecall({ storage: 'memory', ...wide, assets: { embedding, embeddingLanguages } })
    await recall.put(batch[2]!)
    const { degraded } = await recall.status()
    expect(degraded).toContainEqual(
      expect.stringMatching(/^queries and new texts use only their words .*minilm-static/),
    )
    await recall.close()
  })
})

describe('changed languages', () => {
  test('[D3] make vectors of the texts again, as in a store that always had them', async () => {
    const over = await openOver(builtIn, tables())
    await over.call('put', { batch })
    const before = vectorsOf(over)
    const changed = over.reopen(wide, tables())
    const { vectors, degraded } = await statusOf(changed)
    expect(vectors).toMatchObject({ current: 0, pending: 4 })
    expect(degraded).toContainEqual(expect.stringMatching(/^4 of 4 records wait for vectors/))
    await settled(changed)
    const always = await openOver({ ...builtIn, ...wide }, tables())
    await always.call('put', { batch })
    const after = vectorsOf(changed)
    expect(after).toEqual(vectorsOf(always))
    expect(after.get('en')).toBe(before.get('en'))
    for (const id of ['de', 'ru', 'zh']) expect(after.get(id)).not.toBe(before.get(id))
    expect(await changed.call('integrityCheck', { repair: false })).toMatchObject({ ok: true })
    // Fewer languages and other ones need no new vectors: all are in one space.
    for (const languages of [['en', 'de'], ['en']]) {
      const again = changed.reopen({ languages }, tables())
      expect((await statusOf(again)).vectors).toMatchObject({ current: 4, pending: 0 })
      expect(vectorsOf(again)).toEqual(after)
    }
  })

  test('leave vectors that the app gave', async () => {
    const over = await openOver(builtIn, tables())
    const vectors = Float32Array.from({ length: 128 }, (_, i) => i / 1000)
    await over.call('put', { batch: [{ id: 'own', body: 'Ein Eichelhäher', vectors }] })
    const before = vectorsOf(over)
    const changed = over.reopen(wide, tables())
    expect((await statusOf(changed)).vectors).toMatchObject({ current: 1, pending: 0 })
    expect(vectorsOf(changed)).toEqual(before)
  })
})

async function statusOf(over: OpenedOver): Promise<Status> {
  return (await over.call('status', {})) as Status
}

function settled(over: OpenedOver) {
  return expect.poll(async () => (await statusOf(over)).vectors.pending, { timeout: 20_000 }).toBe(0)
}

/** Id → the bytes of its vectors, in hex. */
function vectorsOf({ database }: OpenedOver): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  database.each(
    `SELECT id, hex(vector) FROM vectors JOIN records ON key = slot / 4096 ORDER BY id, slot`,
    [],
    (row) => void found.set(row.text(0), `${found.get(row.text(0)) ?? ''}${row.text(1)}`),
  )
  return found
}
