/** Tests live queries over the real engine: they report when the answer changes, and only then. */
import { afterEach, expect, test } from 'vitest'
import { type OpenOptions, openRecall, type Recall, type RecallQuery, type RecallResult } from '../../../src/index.ts'

const opened: Recall[] = []

async function open(options: OpenOptions = {}): Promise<Recall> {
  const recall = await openRecall({ name: `live ${opened.length}`, embedder: null, now: () => 1_000, ...options })
  opened.push(recall)
  return recall
}

afterEach(async () => {
  for (const recall of opened) await recall.close()
})

/** Each answer as ids with tags. */
function watch(recall: Recall, query: string | RecallQuery): { readonly answers: string[][]; stop(): void } {
  const answers: string[][] = []
  const stop = recall.subscribe({ query }, ({ hits }: RecallResult) => {
    answers.push(hits.map(({ id, record }) => [id, ...record.tags].join(' ')))
  })
  return { answers, stop }
}

test('answers at first, and again when other records belong to the answer', async () => {
  const recall = await open()
  await recall.put({ id: 'a', title: 'apple' })
  const { answers, stop } = watch(recall, 'apple')
  await expect.poll(() => answers).toEqual([['a']])
  await recall.put({ id: 'b', title: 'apple tart' })
  await expect.poll(() => answers.at(-1)?.toSorted()).toEqual(['a', 'b'])
  await recall.forget('a')
  await expect.poll(() => answers.at(-1)).toEqual(['b'])
  stop()
})

test('answers when a shown record changes, even where nothing that scores changes, at the same clock time', async () => {
  const recall = await open()
  await recall.put({ id: 'a', title: 'apple' })
  const { answers } = watch(recall, 'apple')
  await expect.poll(() => answers).toEqual([['a']])
  await recall.patch('a', { tags: ['fruit'] })
  await expect.poll(() => answers.at(-1)).toEqual(['a fruit'])
})

test('is silent when its answer does not change', async () => {
  const recall = await open()
  await recall.put([
    { id: 'a', title: 'apple' },
    { id: 'p', title: 'pear' },
  ])
  const [apples, pears] = [watch(recall, 'apple'), watch(recall, 'pear')]
  await expect.poll(() => [apples.answers.length, pears.answers.length]).toEqual([1, 1])
  for (const tag of ['x', 'y']) {
    await recall.patch('p', { tags: [tag] })
    await expect.poll(() => pears.answers.at(-1)).toEqual([`p ${tag}`])
  }
  expect(apples.answers).toEqual([['a']])
})

test('keeps to the share of a source', async () => {
  const recall = await open()
  const { answers } = watch(recall, { text: 'apple', perSource: 1 })
  await recall.put({ id: 'a', title: 'apple', source: 'mail' })
  await expect.poll(() => answers.at(-1)).toEqual(['a'])
  await recall.put({ id: 'b', title: 'apple tart', source: 'mail' })
  await recall.put({ id: 'c', title: 'apple pie', source: 'web' })
  await expect.poll(() => answers.at(-1)?.toSorted()).toEqual(['a', 'c'])
})

test('answers a burst of changes a few times, and the last answer is current', async () => {
  const recall = await open()
  const { answers } = watch(recall, 'pear')
  await expect.poll(() => answers).toEqual([[]])
  for (let i = 0; i < 100; i += 1) await recall.put({ id: 'p', title: 'pear', tags: [`t${i}`] })
  await expect.poll(() => answers.at(-1)).toEqual(['p t99'])
  expect(answers.length).toBeLessThan(50)
})

test('ends by its function, by its signal, and with the store', async () => {
  const recall = await open()
  const { answers, stop } = watch(recall, 'apple')
  const controller = new AbortController()
  const others: unknown[] = []
  recall.subscribe({ query: 'apple' }, (result) => others.push(result), { signal: controller.signal })
  await expect.poll(() => [answers.length, others.length]).toEqual([1, 1])
  stop()
  controller.abort()
  const { answers: witness } = watch(recall, 'apple')
  await recall.put({ id: 'a', title: 'apple' })
  await expect.poll(() => witness.at(-1)).toEqual(['a'])
  expect([answers.length, others.length]).toEqual([1, 1])
  await recall.close()
  expect(() => watch(recall, 'apple')).toThrow(expect.objectContaining({ code: 'CLOSED' }))
})

test('[E1] reports why it cannot answer', async () => {
  const recall = await open()
  const errors: unknown[] = []
  recall.subscribe({ query: { limit: 0 } }, () => undefined, { onError: (error) => errors.push(error) })
  await expect.poll(() => errors).toMatchObject([{ code: 'INVALID_ARGUMENT' }])
})

test('has its text embedded once by the app’s own embedder', async () => {
  const asked: string[] = []
  const embed = async (texts: readonly string[], role: 'query' | 'document') => {
    if (role === 'query') asked.push(...texts)
    return texts.map(() => Float32Array.of(1, 0))
  }
  const recall = await open({ embedder: { space: 'mine', dimensions: 2, embed } })
  const { answers } = watch(recall, 'apple')
  await expect.poll(() => answers).toEqual([[]])
  await recall.put({ id: 'a', title: 'fruit' })
  await expect.poll(() => answers.at(-1)).toEqual(['a'])
  expect(asked).toEqual(['apple'])
})
