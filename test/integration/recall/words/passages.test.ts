/** Checks that long records are found, shown and packed by their passages: one fact in a page of any length. */
import { describe, expect, test } from 'vitest'
import type { Policy } from '../../../../src/core/model/policy.ts'
import { balanced, lexicalOfRecords } from '../../../../src/core/policies/balanced.ts'
import { splitPassages } from '../../../../src/core/text/passages/split-passages.ts'
import { otherPolicies } from '../../../support/stores/every-policy.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'
import { factPages, shortNotes } from '../../../support/data/fact-pages.ts'

const lengths = [500, 1800, 7000, 35_000]

describe.each(lengths)('facts in pages of %i letters', async (length) => {
  const facts = factPages(length, 12)
  const opened = await openEngine()
  await opened.call('put', { batch: [...facts.map(({ page }) => page), ...shortNotes(150)] })
  const answers = await Promise.all(facts.map(({ question }) => opened.call('recall', { query: { text: question } })))
  const share = (holds: (i: number) => boolean) => facts.filter((_, i) => holds(i)).length / facts.length

  test('[S7] the page comes first, with evidence', () => {
    expect(share((i) => answers[i]!.hits[0]?.id === facts[i]!.page.id)).toBeGreaterThanOrEqual(0.95)
    expect(share((i) => answers[i]!.evidence.strength !== 'none')).toBeGreaterThanOrEqual(0.95)
  })

  test('[G6] passage, snippet and package hold the fact', async () => {
    const isShown = (i: number) => {
      const { page, fact } = facts[i]!
      const hit = answers[i]!.hits.find(({ id }) => id === page.id)
      if (hit === undefined) return false
      const letters = Array.from(page.body)
      const text = hit.passage === null ? page.body : letters.slice(hit.passage.from, hit.passage.to).join('')
      return text.includes(fact)
    }
    expect(share(isShown)).toBeGreaterThanOrEqual(0.98)
    const packages = await Promise.all(
      facts.map(({ question }) =>
        opened.call('assemble', { query: { text: question, maxTokens: 300, format: 'xml' } }),
      ),
    )
    expect(share((i) => packages[i]!.formatted.includes(facts[i]!.fact))).toBeGreaterThanOrEqual(0.95)
    expect(share((i) => packages[i]!.metadata.tokenCount <= 300)).toBeGreaterThanOrEqual(0.95)
  })
})

test('[S7] letters added to other passages do not lower what a passage adds', async () => {
  const { page, question } = factPages(1800, 3)[0]!
  const scoreOf = async (more: string, policy: Policy) => {
    const opened = await openEngine()
    await opened.call('put', { batch: [{ ...page, body: `${page.body}\n\n${more}` }, ...shortNotes(60)] })
    const { hits } = await opened.call('recall', { query: { text: question, policy } })
    return hits.find(({ id }) => id === page.id)?.score ?? 0
  }
  const others = 'Other words of another matter fill this line. '.repeat(2000)
  const shareLeft = async (policy: Policy) => (await scoreOf(others, policy)) / (await scoreOf('', policy))
  expect(await shareLeft(balanced)).toBeGreaterThan(0.9)
  // Control: a policy that counts whole records lowers it.
  expect(await shareLeft({ ...balanced, name: 'whole', lexical: lexicalOfRecords })).toBeLessThan(0.9)
})

test('[L1] a word that is only in the title, the summary or a joined name is found in a long record', async () => {
  const opened = await openEngine()
  const body = 'Plain sentences say little of anything here. '.repeat(60)
  await opened.call('put', {
    batch: [
      { id: 'title', title: 'Acorn ledger', body },
      { id: 'summary', summary: 'About magpies', body },
      { id: 'name', body: `${body} It calls useEffect at last.` },
    ],
  })
  for (const [text, id] of [
    ['acorn', 'title'],
    ['magpies', 'summary'],
    ['effect', 'name'],
  ] as const)
    expect((await opened.call('recall', { query: { text } })).hits.map((hit) => hit.id)).toContain(id)
})

test('[P4] passages are checked, repaired, and go with their record', async () => {
  const opened = await openEngine()
  const { page } = factPages(7000, 5)[0]!
  await opened.call('put', { batch: [page] })
  expect(await opened.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
  await opened.call('put', { batch: [{ ...page, body: 'short now' }] })
  expect((await opened.call('recall', { query: { text: 'short' } })).hits[0]).toMatchObject({ passage: null })
  await opened.call('put', { batch: [page] })
  await opened.call('forget', { ids: [page.id] })
  expect(await opened.call('verifyForgotten', { id: page.id })).toMatchObject({ rows: 0, fts: 0 })
  expect(await opened.call('integrityCheck', {})).toMatchObject({ ok: true, problems: [] })
})

test('several passages of one record are named, the best first', async () => {
  const opened = await openEngine()
  const filler = 'Nothing of note was said on this day at all. '.repeat(40)
  const body = `# One\n\nThe acorn store is in the oak.\n\n${filler}\n\n# Two\n\nThe acorn store of the jay is in the pine.\n\n${filler}`
  await opened.call('put', { batch: [{ id: 'page', body }] })
  const [hit] = (await opened.call('recall', { query: { text: 'acorn store of the jay', passages: 2 } })).hits
  expect(hit!.passages!.map(({ heading }) => heading)).toEqual(['Two', 'One'])
  expect(hit!.passage).toEqual(hit!.passages![0])
  expect(hit!.reasons.at(-1)).toMatch(/^best passage: letters \d+ to \d+, under Two$/)
  expect(hit!.snippet.text).toContain('pine')
  await expect(opened.call('recall', { query: { text: 'acorn', passages: 0 } })).rejects.toMatchObject({
    field: 'query.passages',
  })
})

test.each(otherPolicies)('%s ranks whole records', async (_, policy) => {
  const opened = await openEngine()
  const facts = factPages(7000, 5)
  await opened.call('put', { batch: facts.map(({ page }) => page) })
  const { hits } = await opened.call('recall', { query: { text: facts[0]!.question, policy } })
  for (const hit of hits) expect(hit.passage).toBeNull()
})

test('control: pages have many passages', () => {
  for (const { page } of factPages(7000, 5)) expect(splitPassages(page.body).length).toBeGreaterThan(5)
})
