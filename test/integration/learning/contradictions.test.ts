/** Tests that put proposes contradictions, that recall warns of them, and how they end. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { openRecall } from '../../../src/index.ts'
import { all, first } from '../../../worker/sqlite/database.ts'
import { startOfTime } from '../../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../../support/stores/open-over.ts'
import { exported, imported } from '../../support/stores/portable.ts'

const now = startOfTime
const older = { id: 'old', body: 'My Zotero library has 45 sources.', createdAt: now }
const newer = { id: 'new', body: 'I have 52 sources in my Zotero library now.', createdAt: now + 1 }

let opened: OpenedOver
beforeEach(async () => {
  opened = await openOver()
})

const put = (batch: readonly RecordInput[], findContradictions = true) =>
  opened.call('put', { batch, findContradictions }, now + 2)
const proposed = async () =>
  (await opened.call('proposals', {}, now + 3)).map(({ id, contradicts }) => [id, contradicts])
const warnings = async (text: string, limit = 10) =>
  (await opened.call('recall', { query: { text, limit } }, now + 3)).warnings

describe('[C1] a contradiction is only proposed', () => {
  it('of active records: a superseded one has none', async () => {
    await put([older, { ...newer, status: 'superseded' }])
    expect(await proposed()).toEqual([])
    await put([{ ...newer, id: 'again' }])
    expect(await proposed()).toEqual([['again', 'old']])
  })

  it('the receipt, the proposals and recalls name it, and no record changes', async () => {
    await put([older])
    const { records } = await put([newer])
    expect(records).toEqual([{ id: 'new', outcome: 'inserted', bodyChanged: true, contradicts: ['old'] }])
    expect(await opened.call('proposals', {}, now + 3)).toEqual([
      {
        id: 'new',
        contradicts: 'old',
        reason: 'says "52 sources", where the other says "45 sources"',
        createdAt: now + 2,
        scope: '{}',
      },
    ])
    expect(await warnings('zotero')).toEqual([{ code: 'contradicts', ids: ['new', 'old'] }])
    expect((await opened.call('get', { ids: ['old', 'new'] })).map((record) => record?.status)).toEqual([
      'active',
      'active',
    ])
  })

  it('a recall that holds only one of them warns of both', async () => {
    await put([older, newer])
    expect(await warnings('zotero', 1)).toEqual([{ code: 'contradicts', ids: ['new', 'old'] }])
  })

  it('the later record is the newer one in every order of puts and in one batch', async () => {
    await put([newer])
    await put([older])
    expect(await proposed()).toEqual([['new', 'old']])
    await opened.call('forget', { ids: ['new', 'old'] }, now + 3)
    await put([newer, older])
    expect(await proposed()).toEqual([['new', 'old']])
  })

  it('control: without findContradictions, and in another project, nothing is proposed', async () => {
    await put([older])
    await put([newer], false)
    await put([{ ...newer, id: 'other', project: 'another' }])
    expect(await proposed()).toEqual([])
    expect(await warnings('zotero')).toEqual([])
  })
})

describe('[C1] a contradiction ends', () => {
  beforeEach(() => put([older, newer]))

  it('when one record is superseded', async () => {
    await opened.call('patch', { id: 'old', fields: { status: 'superseded', supersededBy: 'new' } }, now + 3)
    expect(await proposed()).toEqual([])
    expect(await warnings('zotero')).toEqual([])
  })

  it('when one of them gets another text, and stays when only another field changes', async () => {
    await put([{ ...older, tags: ['seen'] }])
    expect(await proposed()).toEqual([['new', 'old']])
    await put([{ ...older, body: 'My Zotero library has 52 sources.' }])
    expect(await proposed()).toEqual([])
  })

  it('[W3] when one of them is forgotten: no row is left', async () => {
    await opened.call('forget', { ids: ['old'] }, now + 3)
    expect(first(opened.database, `SELECT count(*) FROM contradictions`, [], (row) => row.number(0))).toBe(0)
    expect((await opened.call('verifyForgotten', { id: 'old' })).clean).toBe(true)
  })

  it('by an outcome other than used', async () => {
    await opened.call('acknowledge', { of: ['new'], outcomes: { new: 'used' } }, now + 3)
    expect(await proposed()).toEqual([['new', 'old']])
    await opened.call('acknowledge', { of: ['new'], outcomes: { new: 'dismissed' } }, now + 3)
    expect(await proposed()).toEqual([])
  })
})

describe('[C1] contradictions of several devices', () => {
  const now4 = now + 4
  const settle = (engine: OpenedOver) =>
    engine.call('acknowledge', { of: ['new'], outcomes: { new: 'dismissed' } }, now + 3)
  const rows = (engine: OpenedOver) =>
    all(
      engine.database,
      `SELECT a.id, b.id, c.created_at, c.reason, c.settled FROM contradictions c
        JOIN records a ON a.key = c.key JOIN records b ON b.key = c.other ORDER BY a.id, b.id`,
      [],
      (row) => [row.text(0), row.text(1), row.number(2), row.text(3), row.number(4)].join(' · '),
    )
  const copyOf = async (...sources: readonly OpenedOver[]) => {
    const copy = await openOver()
    for (const source of sources) await imported(copy, await exported(source), 'merge', now4)
    return copy
  }

  beforeEach(() => put([older, newer]))

  it('an export holds them, and a copy exports the same bytes', async () => {
    const copy = await copyOf(opened)
    expect(rows(copy)).toEqual(['new · old · 1767225600002 · says "52 sources", where the other says "45 sources" · 0'])
    expect((await copy.call('recall', { query: { text: 'zotero' } }, now4)).warnings).toEqual(await warnings('zotero'))
    await imported(copy, await exported(opened), 'merge', now4)
    expect(await exported(copy)).toEqual(await exported(await copyOf(copy)))
    const replaced = await openOver()
    await imported(replaced, await exported(opened), 'replace', now4)
    expect(rows(replaced)).toEqual(rows(opened))
  })

  it('settled on one of them is settled on all, in every order', async () => {
    const copy = await copyOf(opened)
    await settle(copy)
    const merged = [await copyOf(opened, copy), await copyOf(copy, opened), await copyOf(copy, copy)]
    for (const each of merged) {
      expect(rows(each)).toEqual(['new · old · 1767225600002 ·  · 2'])
      expect(await each.call('proposals', {}, now4)).toEqual([])
    }
    await imported(opened, await exported(copy), 'merge', now4)
    expect(await warnings('zotero')).toEqual([])
  })

  it('one that another device replaced or forgot ends the pair, in every order', async () => {
    for (const change of [
      (engine: OpenedOver) => engine.call('put', { batch: [{ ...older, body: 'My Zotero library is gone.' }] }, now4),
      (engine: OpenedOver) => engine.call('forget', { ids: ['old'] }, now4),
    ]) {
      const copy = await copyOf(opened)
      await change(copy)
      for (const each of [await copyOf(opened, copy), await copyOf(copy, opened)]) expect(rows(each)).toEqual([])
    }
  })

  it('other fields that change here keep the pair on all devices', async () => {
    const copy = await copyOf(opened)
    await put([{ ...older, tags: ['seen'] }])
    for (const each of [await copyOf(opened, copy), await copyOf(copy, opened)])
      expect(rows(each)).toEqual(rows(opened))
  })

  it('a pair of a new text stays when another device changed other fields of the older record, in every order', async () => {
    const copy = await copyOf(opened)
    await copy.call('put', { batch: [{ ...older, tags: ['seen'] }] }, now4)
    await put([{ ...newer, body: 'I have 53 sources in my Zotero library now.' }])
    expect(rows(opened)).toHaveLength(1)
    for (const each of [await copyOf(opened, copy), await copyOf(copy, opened)])
      expect(rows(each)).toEqual(rows(opened))
  })

  it('what the import redacts is not in the reason either', async () => {
    const redact = (text: string) => text.replaceAll('45 sources', '[…]')
    const bytes = await exported(opened)
    for (const extensions of [{}, { extensions: { redact } }]) {
      const copy = await openRecall({ name: `redacting ${Object.keys(extensions)}`, runtime: 'inline', ...extensions })
      await copy.importFrom(bytes, { mode: 'merge' })
      expect(await copy.proposals()).toHaveLength('extensions' in extensions ? 0 : 1)
      await copy.close()
    }
  })
})
