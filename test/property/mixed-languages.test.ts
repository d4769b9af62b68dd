/**
 * [L1] [W3] [V3] Tests a store in German, Chinese and English, whose questions often are in another language than their best hit. Each law
 * has its control.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RecallQuery } from '../../src/core/model/query.ts'
import type { RecordInput } from '../../src/core/model/record.ts'
import { canonicalJson } from '../../src/core/text/hash/canonical.ts'
import { loadLanguages } from '../../worker/languages/load-languages.ts'
import { proof } from '../../worker/retrieval/top-k/proof.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { dump } from '../support/stores/dump.ts'
import { type OpenedOver, openOver } from '../support/stores/open-over.ts'

const dimensions = 8
const words = {
  de: 'haus häuser baum bäume baumhaus katze katzen straße strassen arbeit zimmer arbeitszimmer die und ist der wo'.split(
    ' ',
  ),
  zh: '房子 树木 猫咪 街道 工作 房间 什么 时候 在哪 里的 护照 抽屉'.split(' '),
  en: 'house houses tree trees cat cats street work room the and is where of'.split(' '),
}
const tags = ['de', 'zh', 'en'] as const
const options = { languages: [...tags], space: { name: 'eight', dimensions } }

afterEach(() => vi.restoreAllMocks())

function textIn(tag: (typeof tags)[number], random: Random, count: number): string {
  const own = words[tag]
  const chosen = Array.from({ length: count }, () => own[Math.floor(random.next() ** 2 * own.length)]!)
  return chosen.join(tag === 'zh' ? '' : ' ')
}

function vectors(random: Random): NonNullable<RecordInput['vectors']> {
  return [{ vector: random.vector(dimensions), from: 0, to: 2 }]
}

async function filled(seed: number, records: number): Promise<OpenedOver> {
  await loadLanguages([...tags])
  const random = createRandom(seed)
  const over = await openOver(options as never)
  const batch = Array.from({ length: records }, (_, i): RecordInput => {
    const tag = random.pick(tags)
    const body = textIn(tag, random, 3 + random.below(9))
    return {
      id: `r${i}`,
      body,
      vectors: vectors(random),
      session: random.pick(['s', 't', 'u']),
      position: i,
      ...(random.below(4) === 0 ? { language: tag } : {}),
    }
  })
  await over.call('put', { batch })
  return over
}

/** Half of the questions have no subject that a record has, so the vectors decide. */
function anyQuery(random: Random): RecallQuery {
  const known = textIn(random.pick(tags), random, 1 + random.below(4))
  return {
    text: random.below(2) === 0 ? known : random.pick(['wo ist die Quitte', '榅桲在哪儿呢', 'where is the quince']),
    vector: random.vector(dimensions),
    limit: 1 + random.below(12),
  }
}

async function answer({ call }: OpenedOver, query: RecallQuery): Promise<string> {
  const { hits, evidence, plan, warnings } = await call('recall', { query })
  return canonicalJson(JSON.parse(JSON.stringify({ hits, evidence, plan, warnings })))
}

describe('answers from few records', () => {
  test('[L1] equal those from all, evidence across languages included', async () => {
    const over = await filled(11, 400)
    const random = createRandom(12)
    const evidence: string[] = []
    for (let i = 0; i < 60; i++) {
      const query = anyQuery(random)
      const fast = await answer(over, query)
      expect(fast, query.text).toBe(await answer(over, { ...query, ledger: true }))
      if (fast.includes('"across":')) evidence.push(/"strength":"(\w+)"/.exec(fast)![1]!)
    }
    expect(evidence.length).toBeGreaterThan(10)
  })

  test('[L1] control: without the proof some differ', async () => {
    vi.spyOn(proof, 'holds').mockReturnValue(true)
    const over = await filled(11, 400)
    const random = createRandom(12)
    let differing = 0
    for (let i = 0; i < 60; i++) {
      const query = anyQuery(random)
      if ((await answer(over, query)) !== (await answer(over, { ...query, ledger: true }))) differing++
    }
    expect(differing).toBeGreaterThan(0)
  })
})

describe('derived rows', () => {
  const canary = { id: 'canary', body: '秘密日记藏在阁楼 Geheimniskrämereien secretiveness', language: 'zh' }
  const traces = ['秘密', '阁楼', 'geheimniskramer', 'secretiv', 'Geheimnis']

  test('[W3] forgetting erases every trace of a text in three languages', async () => {
    const over = await filled(21, 40)
    const before = dump(over.database)
    await over.call('put', { batch: [canary] })
    const held = dump(over.database)
    expect(traces.filter((trace) => held.includes(trace)).length, 'control: they were there').toBeGreaterThan(2)
    await over.call('forget', { ids: ['canary'] })
    const after = dump(over.database)
    expect(traces.filter((trace) => after.includes(trace))).toEqual([])
    expect(before.length).toBeGreaterThan(0)
    expect(await over.call('integrityCheck', {})).toMatchObject({ ok: true })
  })

  test('[V3] are rebuilt to the same answers', async () => {
    const over = await filled(31, 120)
    const random = createRandom(32)
    const queries = [...Array.from({ length: 12 }, () => anyQuery(random)), { text: 'katze' }, { text: 'haus' }]
    const answers = async () => Promise.all(queries.map((query) => answer(over, query)))
    const before = await answers()
    over.database.execute(`DELETE FROM forms`)
    const without = over.reopen(options as never)
    const lost = await Promise.all(queries.map((query) => answer(without, query)))
    expect(lost, 'control: without them answers differ').not.toEqual(before)
    await without.call('integrityCheck', { repair: true } as never)
    expect(await Promise.all(queries.map((query) => answer(without, query)))).toEqual(before)
  })
})
