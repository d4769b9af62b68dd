/** Checks `remember`: turns of a chat become records of one session that later calls continue. */
import { describe, expect, test } from 'vitest'
import { type Message, openRecall, RecallError } from '../../../src/index.ts'

const session = 'trip'
const day = 86_400_000
const may8 = Date.UTC(2026, 4, 8, 9)

let named = 0
/** A clock that stays at `now` until a test sets it. */
async function opened(now = may8) {
  const clock = { now }
  const memory = await openRecall({ name: `remember ${++named}`, embedder: null, now: () => clock.now })
  return { memory, clock }
}

const turns: readonly Message[] = [
  { id: 'm1', role: 'user', content: 'Where did you put the spare key?', createdAt: may8 },
  { id: 'm2', role: 'assistant', content: 'Yesterday it went behind the clock.', createdAt: may8 + 1_000 },
]

describe('remember', () => {
  test('stores the turns in order, and a later call continues the session', async () => {
    const { memory, clock } = await opened()
    await memory.remember(turns, { session, record: { project: 'home' } })
    clock.now += 60_000
    const receipt = await memory.remember([{ role: 'user', name: 'Ada', content: 'Thank you.' }], { session })
    expect(receipt).toMatchObject({ records: [{ outcome: 'inserted' }] })

    const { items } = await memory.list({ session })
    const inOrder = items.toSorted((a, b) => a.position! - b.position!)
    expect(inOrder.map(({ body }) => body)).toEqual([...turns.map(({ content }) => content), 'Thank you.'])
    expect(inOrder.map(({ createdAt }) => createdAt)).toEqual([may8, may8 + 1_000, may8 + 60_000])
    expect(inOrder[0]).toMatchObject({ id: 'trip/m1', project: 'home', metadata: { role: 'user' } })
    expect(inOrder[2]).toMatchObject({ project: null, title: 'Ada' })
    await memory.close()
  })

  test('a history without ids that is given again with each turn is stored once', async () => {
    const { memory, clock } = await opened()
    const history: Message[] = []
    for (const content of ['Is the tent dry?', 'ok', 'Then pack it.', 'ok']) {
      history.push({ role: 'user', content })
      clock.now += 1_000
      await memory.remember(history, { session })
    }
    const { items } = await memory.list({ session })
    const inOrder = items.toSorted((a, b) => a.position! - b.position!)
    expect(inOrder.map(({ body }) => body)).toEqual(history.map(({ content }) => content))
    await memory.close()
  })

  test('a message with an id that is given again changes nothing, and one with other words is updated', async () => {
    const { memory, clock } = await opened()
    await memory.remember(turns, { session })
    clock.now += day
    const again = await memory.remember(turns, { session })
    expect(again.records.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged'])
    const edited = await memory.remember([turns[0]!, { ...turns[1]!, content: 'In the drawer.' }], { session })
    expect(edited.records.map(({ outcome }) => outcome)).toEqual(['unchanged', 'updated'])
    expect(await memory.count()).toBe(2)
    await memory.close()
  })

  test('words such as "yesterday" are read against the time of the message', async () => {
    const { memory, clock } = await opened()
    await memory.remember(turns, { session })
    clock.now += 30 * day
    const { hits } = await memory.recall('what happened on 7 May 2026?')
    expect(hits[0]?.record.id).toBe('trip/m2')
    await memory.close()
  })

  test('an invalid message stores nothing, and a changed argument has no effect on a running call', async () => {
    const { memory } = await opened()
    const wrong = memory.remember([turns[0]!, { role: '', content: 'x' }], { session })
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', field: 'messages[1].role' })
    await expect(wrong).rejects.toBeInstanceOf(RecallError)
    await expect(memory.remember(turns, {} as never)).rejects.toMatchObject({ field: 'options.session' })
    expect(await memory.count()).toBe(0)

    const given = [{ id: 'm1', role: 'user', content: 'first' }]
    const running = memory.remember(given, { session })
    given[0]!.content = 'second'
    await running
    expect((await memory.get('trip/m1'))?.body).toBe('first')
    await memory.close()
  })

  test('[E1] an unknown option is refused by name', async () => {
    const { memory } = await opened()
    const given = { session, extractTimeoutMs: 300 } as never
    await expect(memory.remember(turns, given)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'options.extractTimeoutMs',
    })
    expect(await memory.count()).toBe(0)
    await memory.close()
  })

  test('[Q6] an aborted call stores nothing', async () => {
    const { memory } = await opened()
    const call = memory.remember(turns, { session, signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await memory.count()).toBe(0)
    await memory.close()
  })
})
