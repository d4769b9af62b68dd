/** Tests a server's stores in other languages than English: they answer as a tab's with the same languages, each with its own tables. */
import { describe, expect, test } from 'vitest'
import { knownLanguages } from '../../../src/core/model/languages.ts'
import { canonicalJson } from '../../../src/core/text/hash/canonical.ts'
import { serve } from '../../../src/server/index.ts'
import { openOverBlocks, openTable } from '../../../worker/inline.ts'
import { loadLanguages } from '../../../worker/languages/load-languages.ts'
import { storedOptions } from '../../../worker/replica/shared-settings.ts'
import { engineOptions } from '../../support/stores/engine-options.ts'
import { germanQuestions, germanRecords } from '../../support/stores/german-store.ts'
import { memoryBlocks } from '../../support/stores/memory-blocks.ts'
import { openEngine, type TestEngine } from '../../support/stores/open-engine.ts'
import { openNode } from '../../support/stores/open-node.ts'

const languages = ['de', 'en']
const settingsOf = (blocks: ReturnType<typeof memoryBlocks>) => blocks.head().then(({ settings }) => settings)

/** Answers without what counts the writes of a node. */
async function answers({ call }: Pick<TestEngine, 'call'>): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [, query] of germanQuestions) {
    const { tookMs: _time, receipt, ...answer } = await call('recall', { query: { ...query, ledger: true } })
    lines.push(canonicalJson(JSON.parse(JSON.stringify({ ...answer, ids: receipt.ids }))))
  }
  return lines
}

describe('a store of a server in German', () => {
  test('[N2] answers byte for byte as one in a tab, by the node that wrote and by one that names no languages', async () => {
    await loadLanguages(knownLanguages)
    const blocks = memoryBlocks()
    const writing = await openNode(blocks, { languages })
    await writing.call('put', { batch: germanRecords })
    const tab = await openEngine({ languages } as never)
    await tab.call('put', { batch: germanRecords })
    const expected = await answers(tab)
    expect(await answers(writing)).toEqual(expected)
    const stored = storedOptions(await settingsOf(blocks))
    expect(stored.languages).toEqual(languages)
    expect(await answers(await openNode(blocks, stored))).toEqual(expected)
    const english = await openNode(memoryBlocks(), {})
    await english.call('put', { batch: germanRecords })
    expect(await answers(english), 'control: without its languages').not.toEqual(expected)
  })

  test('[E1] is refused by a node with other languages, and by one that found it empty', async () => {
    await loadLanguages(knownLanguages)
    const blocks = memoryBlocks()
    await (await openNode(blocks, { languages })).call('put', { batch: germanRecords })
    const other = { ...engineOptions, languages: ['fr'] }
    await expect(openOverBlocks(other, null, undefined, { blocks })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'languages',
    })
    await expect(openNode(blocks, { languages: ['fr'] })).rejects.toMatchObject({ code: 'LEADER_LOST' })
    const same = await openOverBlocks({ ...engineOptions, languages: ['en', 'de'] }, null, undefined, { blocks })
    await same.call({ id: '1', method: 'close', request: {}, now: 0 } as never)
  })
})

test('stores of one server share the tables of the embedder, and each has its own languages', async () => {
  const tables = openTable({ languages: new URL('../../../languages/multi-static-128.bin', import.meta.url) })
  const [german, english] = [tables.ofStore!(), tables.ofStore!()]
  german.setLanguages!(['de', 'en'])
  english.setLanguages!(['en'])
  const text = ['Wie setze ich mein Kennwort zurück?']
  const [own] = await german.embed(text, 'document')
  const [plain] = await english.embed(text, 'document')
  expect(own).not.toEqual(plain)
  english.setLanguages!(['de'])
  expect((await english.embed(text, 'document'))[0]).toEqual(own)
})

test('[E1] a server refuses an unknown language before it connects', async () => {
  const options = { postgres: 'postgresql://127.0.0.1:1/none', authenticate: () => null, store: { languages: ['xx'] } }
  await expect(serve(options, { port: 0 })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'languages[0]' })
})
