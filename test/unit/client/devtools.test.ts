/** Tests what `explain` writes of an answer, and what telemetry counts, against a complete store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTelemetry, explain, latencyBoundsMs, withTelemetry } from '../../../src/devtools/index.ts'
import { openRecall, type Recall, type RecallResult } from '../../../src/index.ts'

let recall: Recall

beforeEach(async () => {
  recall = await openRecall({ name: 'devtools', now: () => 1_000_000 })
  await recall.put([
    { id: 'jay', title: 'The jay hides acorns', body: 'In autumn, under leaves.' },
    { id: 'nut', title: 'Acorns keep', body: 'Through the winter.' },
    { id: '<img src=x onerror=alert(1)>"\'\u202e\n&', body: 'acorns that would break out of a page' },
  ])
})

afterEach(() => recall.close())

describe('explain', () => {
  test('as text: aligned columns of the parts of each score', async () => {
    const result = await recall.recall({ text: 'jay acorns', limit: 2, ledger: true })
    const lines = explain(result).split('\n')
    expect(lines[0]).toMatch(/^2 hits, evidence (strong|weak), coverage [\d.]+, top cosine [\d.]+, gap [\d.]+$/)
    expect(lines[1]).toMatch(/^# {2}id +score +lexical/)
    const [scoreEnd] = [lines[1]!.indexOf('score') + 'score'.length]
    for (const line of lines.slice(2, 4)) expect(line.slice(0, scoreEnd)).toMatch(/[\d.]$/)
    const text = lines.join('\n')
    expect(text).toContain(`Plan: policy ${result.plan.policy}, 3 records in scope`)
    for (const channel of Object.keys(result.plan.channels)) expect(text).toMatch(new RegExp(`^${channel} `, 'm'))
    expect(text).toContain(`Ledger: ${result.ledger?.length} not selected`)
    for (const { reason } of result.ledger ?? []) expect(text).toContain(reason)
  })

  test('[A1] as HTML: text of records stays text', async () => {
    const html = explain(await recall.recall('acorns'), { format: 'html' })
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#x27;&#x202E;&#xA;&amp;')
    expect(html.match(/<\/?([a-z]+)/g)?.map((tag) => tag.replace(/[</]/g, ''))).toEqual(
      expect.not.arrayContaining(['img', 'script', 'style']),
    )
    expect(html).not.toMatch(/\u202e|style=|on\w+="/)
    expect(html.match(/<table>/g)).toHaveLength(3)
  })

  test('[A1] as text: no character goes unseen, no line is forged', async () => {
    const text = explain(await recall.recall('acorns'))
    expect(text).toContain('<img src=x onerror=alert(1)>"\'&#x202E;&#xA;&')
    expect(text).not.toMatch(/\u202e/)
  })

  test('reports an answer without hits', async () => {
    const text = explain(await recall.recall({ text: 'acorns', scope: { tags: { any: ['none'] } } }))
    expect(text).toMatch(/^0 hits, evidence none/)
    expect(text).toContain('Ledger: not in this answer. Recall with `ledger: true`.')
  })

  test('shows as much of the ledger as its option says', async () => {
    const result = await recall.recall({ text: 'acorns', limit: 1, ledger: true })
    expect(result.ledger).toHaveLength(2)
    expect(explain(result, { maxDropped: 1 })).toContain('Ledger: 2 not selected, the first 1 shown')
  })
})

describe('telemetry', () => {
  test('counts recalls, abstentions, agreement, outcomes', async () => {
    const telemetry = createTelemetry()
    const store = withTelemetry(recall, telemetry)
    expect(telemetry.summary()).toMatchObject({ recalls: 0, abstentionRate: null, armAgreement: null, p50Ms: null })
    let told = 0
    const stop = telemetry.subscribe(() => (told += 1))
    const { hits, receipt } = await store.recall('jay acorns')
    await store.recall({ text: 'zebra crossing lights', scope: { ids: ['nowhere'] } })
    const ranked = hits.filter(({ ranks }) => ranks.lexical !== undefined || ranks.vector !== undefined)
    const both = ranked.filter(({ ranks }) => ranks.lexical !== undefined && ranks.vector !== undefined)
    expect(both.length).toBeGreaterThan(0)
    expect(telemetry.summary()).toMatchObject({
      recalls: 2,
      abstentionRate: 0.5,
      armAgreement: both.length / ranked.length,
      hitRate: null,
    })
    await store.acknowledge(receipt, { jay: 'used' })
    await store.acknowledge(['nut'], { nut: 'dismissed' })
    expect(telemetry.summary()).toMatchObject({ hitRate: 0.5, acknowledged: 2 })
    expect(told).toBe(4)
    stop()
    await expect(store.recall({ text: 'x', limit: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(telemetry.summary().recalls).toBe(2)
    expect(told).toBe(4)
  })

  test('sorts latencies into buckets, and counts hits by rank', () => {
    const telemetry = createTelemetry()
    const result = { evidence: { strength: 'none' }, hits: [], plan: { channels: { lexical: {}, vector: {} } } }
    for (const ms of [0.1, 0.5, 0.6, 3, 1000, 10_000]) telemetry.noteRecall(result as unknown as RecallResult, ms)
    const { histogram, p50Ms, p95Ms } = telemetry.summary()
    expect(histogram).toHaveLength(latencyBoundsMs.length)
    expect(histogram).toEqual([2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 2])
    expect([p50Ms, p95Ms]).toEqual([0.6, 10_000])
  })
})
