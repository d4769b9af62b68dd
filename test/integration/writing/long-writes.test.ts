/**
 * Tests long writes: put in slices, each durable before the next, with other calls between them, and errors that say
 * what was stored.
 */
import { describe, expect, it } from 'vitest'
import { RecallError } from '../../../src/core/model/errors.ts'
import type { PutReceipt } from '../../../src/core/model/receipts.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import { connect, createScriptedEngine } from '../../support/scripted-engine.ts'
import { openEngine } from '../../support/stores/open-engine.ts'

const records = (count: number, prefix = 'r'): RecordInput[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}${i}`, body: `text number ${i}` }))

/** Answers puts as an engine would, until the test makes it fail. */
function openScripted(failAt = Number.POSITIVE_INFINITY) {
  let puts = 0
  const scripted = createScriptedEngine((method, request) => {
    if (method !== 'put') return undefined
    if (++puts === failAt) throw new RecallError({ code: 'QUOTA_EXCEEDED', message: 'the disk is full.' })
    const { batch } = request as { readonly batch: readonly RecordInput[] }
    const outcomes = batch.map(({ id = '' }) => ({ id, outcome: 'inserted', bodyChanged: true }) as const)
    return { records: outcomes, revision: puts, durability: 'committed' } satisfies PutReceipt
  })
  const sizes = () =>
    scripted.calls.flatMap(({ method, request }) =>
      method === 'put' ? [(request as { readonly batch: readonly unknown[] }).batch.length] : [],
    )
  return { ...scripted, sizes }
}

describe('put of more than 500 records', () => {
  it('[Q5] recalls and writes run between its slices, each sees complete slices only, and the receipt reports per record', async () => {
    const { engine } = await openEngine()
    const { recall } = await connect(engine)
    let isDone = false
    const put = recall.put(records(1_600)).finally(() => {
      isDone = true
    })
    const seen = new Set<number>()
    let own = 0
    while (!isDone) {
      const { plan } = await recall.recall('text')
      const stored = plan.scope - own
      if (!isDone) seen.add(stored)
      expect([500, 1_000, 1_500, 1_600, 0]).toContain(stored)
      if (own === 0 && stored > 0) {
        await recall.put({ id: 'own', body: 'another text' })
        own = 1
      }
    }
    const receipt = await put
    expect(receipt.records.map(({ id }) => id)).toEqual(records(1_600).map(({ id }) => id))
    expect(new Set(receipt.records.map(({ outcome }) => outcome))).toEqual(new Set(['inserted']))
    expect(seen.size).toBeGreaterThan(1)
    expect(own).toBe(1)
    expect(await recall.count()).toBe(1_601)
    expect(receipt.revision).toBe(5)
  })

  it('[Q5] control: with atomic: true there is one transaction, and nothing runs in between', async () => {
    const { engine } = await openEngine()
    const { recall } = await connect(engine)
    let isDone = false
    const put = recall.put(records(1_100), { atomic: true }).finally(() => {
      isDone = true
    })
    const seen = new Set<number>()
    while (!isDone) seen.add((await recall.recall('text')).plan.scope)
    expect((await put).revision).toBe(1)
    for (const stored of seen) expect([0, 1_100]).toContain(stored)
  })

  it('[Q5] goes in order, 500 at a time; up to 500 go at once', async () => {
    const { engine, sizes } = openScripted()
    const { recall } = await connect(engine)
    await recall.put(records(1_201))
    await recall.put(records(500))
    await recall.put(records(1_201), { atomic: true })
    expect(sizes()).toEqual([500, 500, 201, 500, 1_201])
  })

  it('[Q5] stops where a slice fails: the error says how many were stored, and the same call again stores the rest', async () => {
    const { engine, sizes } = openScripted(3)
    const { recall } = await connect(engine)
    const failed = recall.put(records(2_000))
    await expect(failed).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      committed: 1_000,
      message: expect.stringMatching(
        /^the disk is full\. Hint: .* after the first 1000 of 2000 records, which are stored\./,
      ),
    })
    expect(sizes()).toEqual([500, 500, 500])
    const { records: outcomes } = await recall.put(records(2_000))
    expect(outcomes).toHaveLength(2_000)
  })

  it('[Q5] stops where it is aborted: the running slice is stored and counted, and no other is sent', async () => {
    const controller = new AbortController()
    const { engine, sizes } = openScripted()
    const { recall } = await connect({
      ...engine,
      async call(method, request, context) {
        const answer = await engine.call(method, request, context)
        if (sizes().length === 2 && method === 'put') {
          // Answers when the abort has reached the engine.
          const heard = new Promise((resolve) => context.signal?.addEventListener('abort', resolve))
          controller.abort()
          await heard
        }
        return answer
      },
    })
    const put = recall.put(records(2_000), { signal: controller.signal })
    await expect(put).rejects.toMatchObject({ code: 'ABORTED', committed: 1_000 })
    // A slice that was sent would have arrived before this call.
    await recall.forget('none').catch(() => undefined)
    expect(sizes()).toEqual([500, 500])
  })

  it('[Q5] an error of a single slice gives no count of stored records', async () => {
    const { engine } = openScripted(1)
    const { recall } = await connect(engine)
    const error: unknown = await recall.put(records(2_000)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED', message: 'the disk is full.' })
    expect((error as RecallError).committed).toBeUndefined()
  })

  it('[Q5] later changes by the caller are not part of it, and a record that cannot be cloned is refused, and the error names it', async () => {
    const { engine } = await openEngine()
    const { recall } = await connect(engine)
    const batch = records(1_100)
    batch[700] = { id: 'bad', body: 'x', metadata: { work: () => 1 } as never }
    const put = recall.put(batch)
    for (const record of batch) (record as { body: string }).body = 'changed'
    const { records: outcomes } = await put
    expect(outcomes[700]).toMatchObject({ id: 'bad', outcome: 'rejected', field: 'metadata' })
    expect(outcomes.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1_099)
    expect((await recall.get('r1099'))?.body).toBe('text number 1099')
  })

  it('[E1] atomic must be a boolean', async () => {
    const { engine } = openScripted()
    const { recall } = await connect(engine)
    await expect(recall.put([], { atomic: 1 as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'atomic',
    })
  })
})
