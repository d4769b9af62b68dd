/** Runs the composables in Vue's own reactivity and the stores in Svelte's, against a complete store. */
import { get } from 'svelte/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { effectScope, nextTick, ref, watchEffect } from 'vue'
import { openRecall, type Recall } from '../../../src/index.ts'
import { liveRecall, openedStore } from '../../../src/svelte/index.ts'
import { useRecall, useStore } from '../../../src/vue/index.ts'

let recall: Recall
beforeEach(async () => {
  recall = await openRecall({ name: 'live', embedder: null })
  await recall.put([
    { id: 'a', body: 'acorns under the oak' },
    { id: 'b', body: 'beetles in the bark' },
  ])
})
afterEach(() => recall.close())

describe('Vue', () => {
  /** Resolves when the condition holds; it runs whenever a ref in it changes. */
  function until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = watchEffect(() => {
        if (!condition()) return
        resolve()
        queueMicrotask(() => stop())
      })
    })
  }

  test('useRecall answers, follows the query and the store, and ends with its scope', async () => {
    const query = ref<string | null>('acorns')
    const scope = effectScope()
    const { result, error, status } = scope.run(() => useRecall(recall, query))!
    const ids = () => result.value?.hits.map(({ id }) => id)
    expect(status.value).toBe('pending')
    await until(() => status.value === 'ready')
    expect(ids()).toEqual(['a'])
    await recall.put({ id: 'c', body: 'acorns, acorns everywhere' })
    await until(() => ids()?.length === 2)
    query.value = 'beetles'
    await nextTick()
    // The previous answer stays until the new one is there.
    expect([status.value, ids()?.length]).toEqual(['pending', 2])
    await until(() => status.value === 'ready')
    expect(ids()).toEqual(['b'])
    query.value = null
    await until(() => status.value === 'idle')
    expect(result.value).toBeUndefined()
    query.value = 'oak'
    await until(() => status.value === 'ready')
    scope.stop()
    await recall.put({ id: 'd', body: 'oak and oak' })
    expect((await recall.recall('oak')).hits).toHaveLength(2)
    expect(ids()).toEqual(['a'])
    expect(error.value).toBeUndefined()
  })

  test('useRecall reports an error, and recovers with the next query', async () => {
    const limit = ref(0)
    const scope = effectScope()
    const { error, status } = scope.run(() => useRecall(recall, () => ({ text: 'acorns', limit: limit.value })))!
    await until(() => status.value === 'error')
    expect(error.value).toMatchObject({ code: 'INVALID_ARGUMENT' })
    limit.value = 1
    await until(() => status.value === 'ready')
    expect(error.value).toBeUndefined()
    scope.stop()
  })

  test('useStore opens, and closes with its scope', async () => {
    const scope = effectScope()
    const { store, status } = scope.run(() => useStore({ name: 'vue-own', embedder: null }))!
    expect(status.value).toBe('opening')
    await until(() => status.value === 'ready')
    const open = store.value!
    expect(await open.count()).toBe(0)
    scope.stop()
    expect(store.value).toBeUndefined()
    await expect.poll(() => open.count().catch(({ code }) => code)).toBe('CLOSED')
    const wrong = effectScope()
    const failed = wrong.run(() => useStore({ storage: 'tape' as never }))!
    await until(() => failed.status.value === 'error')
    expect(failed.error.value).toMatchObject({ code: 'INVALID_CONFIG' })
    wrong.stop()
  })
})

describe('Svelte', () => {
  /** Resolves with the first value that passes. */
  function until<T>(
    store: { subscribe(run: (value: T) => void): () => void },
    condition: (value: T) => boolean,
  ): Promise<T> {
    return new Promise((resolve) => {
      let stop = () => {}
      stop = store.subscribe((value) => {
        if (!condition(value)) return
        resolve(value)
        queueMicrotask(() => stop())
      })
    })
  }

  test('liveRecall answers, follows the store, and stops with its last subscriber', async () => {
    const answer = liveRecall(recall, { text: 'acorns' })
    const seen: string[] = []
    const stop = answer.subscribe(({ status, result }) => seen.push(`${status} ${result?.hits.length ?? 0}`))
    await until(answer, ({ status }) => status === 'ready')
    await recall.put({ id: 'c', body: 'acorns, acorns everywhere' })
    await until(answer, ({ result }) => result?.hits.length === 2)
    expect(seen).toEqual(['pending 0', 'ready 1', 'ready 2'])
    stop()
    await recall.put({ id: 'd', body: 'more acorns' })
    expect((await recall.recall('acorns')).hits).toHaveLength(3)
    expect(seen).toHaveLength(3)
    expect(get(liveRecall(null, 'acorns')).status).toBe('idle')
    expect(await until(liveRecall(recall, { limit: 0 }), ({ status }) => status === 'error')).toMatchObject({
      error: { code: 'INVALID_ARGUMENT' },
    })
  })

  test('openedStore opens with the first subscriber and closes after the last', async () => {
    const opened = openedStore({ name: 'svelte-own', embedder: null })
    const stop = opened.subscribe(() => {})
    const { store } = await until(opened, ({ status }) => status === 'ready')
    expect(await store!.count()).toBe(0)
    stop()
    await expect.poll(() => store!.count().catch(({ code }) => code)).toBe('CLOSED')
    expect(await until(openedStore({ storage: 'tape' as never }), ({ status }) => status === 'error')).toMatchObject({
      error: { code: 'INVALID_CONFIG' },
    })
  })
})
