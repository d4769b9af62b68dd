/** Tests the option `languages` and the field `language` of records: what is accepted, stored, exported and counted. */
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultLanguages, knownLanguages, parseLanguages } from '../../../src/core/model/languages.ts'
import { openRecall } from '../../../src/index.ts'
import { loadLanguages } from '../../../worker/languages/load-languages.ts'
import { dump } from '../../support/stores/dump.ts'
import { openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'
import { createWorld } from '../../support/tabs-world.ts'

// As an engine does when it opens a store.
beforeAll(() => loadLanguages(['zh']))

const refused = (field: string, hint: RegExp) => ({
  code: 'INVALID_CONFIG',
  field,
  hint: expect.stringMatching(hint),
})

describe('the languages of a store', () => {
  test.each([
    ['a text', 'de', 'languages', /array, for example \["de"\]/],
    ['an empty list', [], 'languages', /Leave it out/],
    ['a region', ['en', 'de-AT'], 'languages[1]', /Give "de"/],
    ['capitals', ['DE'], 'languages[0]', /Give "de"/],
    ['a name', ['german'], 'languages[0]', /a tag such as "de"/],
    ['a number', [7], 'languages[0]', /a tag such as "de"/],
    ['a hole', Array(1), 'languages[0]', /a tag such as "de"/],
    ['an unknown tag', ['xx'], 'languages[0]', /Use one of ar, bg/],
    ['a tag twice', ['de', 'en', 'de'], 'languages[2]', /once/],
  ] as const)('must be known, distinct primary tags: %s', async (_name, languages, field, hint) => {
    const open = openRecall({ name: 'refused languages', embedder: null, languages: languages as never })
    await expect(open).rejects.toMatchObject(refused(field, hint))
  })

  test('are English by default, and kept until another opening names others', async () => {
    const over = await openOver({})
    expect(over.engine.settings().languages).toEqual(['en'])
    expect(parseLanguages(knownLanguages)).toEqual(knownLanguages)
    const german = over.reopen({ languages: ['en', 'zh'] })
    expect(await german.call('status', {})).toMatchObject({ settings: { languages: ['en', 'zh'] } })
    expect(over.reopen({}).engine.settings().languages).toEqual(['en', 'zh'])
    expect(over.reopen({ languages: ['zh', 'en'] }).engine.settings().languages).toEqual(['en', 'zh'])
    expect(over.reopen({ languages: ['en'] }).engine.settings().languages).toEqual(defaultLanguages)
  })

  test('[D3] English, named or not, gives the same rows and the same export', async () => {
    const silent = await openOver({})
    const named = await openOver({ languages: ['en'] })
    for (const { call } of [silent, named]) await call('put', { batch: [{ id: 'a', body: 'a jay' }] })
    const withoutDevice = (rows: string) => rows.replaceAll(/[0-9a-f]{16,}/g, '')
    expect(withoutDevice(dump(named.database))).toBe(withoutDevice(dump(silent.database)))
    const bytes = Buffer.from(await exported(silent))
    expect(bytes.includes('languages')).toBe(false)
    expect((await imported(named, bytes, 'merge')).differing).toEqual([])
  })

  test('are given to the embedder', async () => {
    const told: (readonly string[])[] = []
    const over = await openOver({ languages: ['en', 'zh'] })
    const embedder = {
      embed: async () => [],
      setLanguages: (languages: readonly string[]) => void told.push(languages),
    }
    over.reopen({}, embedder)
    expect(told).toEqual([['en', 'zh']])
  })

  test('an import names other languages, and replaces only a store with the same', async () => {
    const bytes = await exported(await openOver({ languages: ['en', 'zh'] }))
    const english = await openOver({})
    expect((await imported(english, bytes, 'merge')).differing).toEqual(['languages'])
    await expect(imported(english, bytes, 'replace')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'languages',
    })
  })

  test('a tab with other languages is refused while another has the store open', async () => {
    const world = await createWorld()
    await world.tab({ languages: ['en', 'zh'] })
    await expect(world.tab({ languages: ['en'] })).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'languages' })
    await expect(world.tab({ languages: ['zh', 'en'] })).resolves.toBeDefined()
    const silent = await world.tab({ languages: undefined })
    expect(await silent.call('status', {})).toMatchObject({ settings: { languages: ['en', 'zh'] } })
    await world.end()
  })

  test('a second opening in the page is refused, too', async () => {
    const first = await openRecall({ name: 'two languages', embedder: null, languages: ['en', 'ja'] })
    const other = openRecall({ name: 'two languages', embedder: null, languages: ['en'] })
    await expect(other).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'languages' })
    await (await openRecall({ name: 'two languages', embedder: null, languages: ['ja', 'en'] })).close()
    await first.close()
  })
})

describe('the language of a record', () => {
  test('is stored, counted, exported and imported; a record without one has no such field', async () => {
    const over = await openOver({})
    await over.call('put', {
      batch: [
        { id: 'a', body: 'die Elster', language: 'de' },
        { id: 'b', body: 'a magpie' },
      ],
    })
    const read = async ({ call }: typeof over) => await call('get', { ids: ['a', 'b'] })
    expect(await read(over)).toMatchObject([{ language: 'de' }, { id: 'b' }])
    expect((await read(over))[1]).not.toHaveProperty('language')
    const counted = await over.call('facets', { request: { keys: ['language'] } })
    expect(counted).toMatchObject({ matched: 2, facets: { language: [{ value: 'de', count: 1 }] } })
    const other = await openOver({})
    await imported(other, await exported(over), 'merge')
    expect(await read(other)).toEqual(await read(over))
    await over.call('patch', { id: 'a', fields: { title: 'Vogel' } })
    expect((await read(over))[0]).toMatchObject({ title: 'Vogel', language: 'de' })
    expect(await over.call('put', { batch: [{ id: 'b', body: 'a magpie', language: 'en' }] })).toMatchObject({
      records: [{ outcome: 'updated' }],
    })
    expect(await over.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test.each([['de-AT'], ['German'], [''], [7]])('%j is refused', async (language) => {
    const { call } = await openOver({})
    const { records } = await call('put', { batch: [{ body: 'a', language: language as never }] })
    expect(records[0]).toMatchObject({ outcome: 'rejected', code: 'INVALID_RECORD', field: 'language' })
  })
})
