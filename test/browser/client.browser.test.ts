/**
 * Tests the built package in real browsers, bundled as an app would bundle it and served under an extension's policy:
 * the page starts the real workers, stores, recalls, forgets, closes; calls end and errors cross the boundary as the
 * contract says.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { availableBrowsers, type Browser, type Page } from '../support/browsers/browsers.ts'
import { detailIn, isInDetail } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { embeddingHash, embeddingTexts } from '../support/data/embedding-texts.ts'
import { type StrictPage, serveStrictPage } from '../support/pages/serve-strict-page.ts'

let site: StrictPage

beforeAll(async () => {
  site = await serveStrictPage(pageScript)
  await writeFile(join(site.folder, 'mute-worker.js'), muteWorkerSource)
})

afterAll(() => site?.close())

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page
  let unanswered: Promise<string>

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    page = await browser.page(site.url)
    // Its ten seconds pass while the other tests run.
    unanswered = page.evaluate<string>('deadline')
    unanswered.catch(() => undefined)
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('[P2] reports where it stores, receives a fallback event, and asks to persist once, after the first durable put', async () => {
    const stored = await page.evaluate<Record<string, unknown>>('storing')
    const isFallback = kind === 'webkit'
    expect(stored).toMatchObject({
      backend: isFallback ? 'indexeddb' : 'opfs',
      durability: 'committed',
      heard: isFallback ? ['storage indexeddb'] : [],
      receipt: 'committed',
    })
    // Where no permission can be requested, nothing is promised and no request is made.
    if (isFallback) expect(stored).toMatchObject({ evictionRisk: 'high', persisted: null, asked: [0, 0, 0] })
    else expect(stored).toMatchObject({ asked: [0, 1, 1], evictionRisk: expect.stringMatching(/none|low/) })
  })

  test.each(isInDetail(kind) ? ['memory', 'auto', 'indexeddb'] : ['auto'])(
    '[W3] walks from open to close in %s',
    async (storage) => {
      const walked = await page.evaluate<Walk>('walk', storage)
      expect(walked).toMatchObject({
        inserted: 50,
        first: 'record-7',
        isVectorRun: true,
        runtime: 'worker',
        forgotten: ['record-7'],
        isClean: true,
        afterwards: 49,
        closed: 'CLOSED',
      })
      expect(walked.tookMs).toBeGreaterThan(0)
      if (storage === 'memory') expect(walked.backend).toBe('memory')
      if (storage === 'auto') expect(walked.backend).toBe(kind === 'webkit' ? 'indexeddb' : 'opfs')
      if (storage === 'indexeddb') expect(walked.backend).toBe('indexeddb')
      expect(walked.reopened).toBe(walked.backend === 'memory' ? 0 : 49)
    },
  )

  detail('[E1] errors keep field, value and hint', async () => {
    expect(await page.evaluate('errors')).toEqual([
      {
        isRecallError: true,
        code: 'INVALID_ARGUMENT',
        field: expect.stringContaining('limit'),
        value: '0',
        hint: expect.stringMatching(/\w/),
      },
      {
        isRecallError: true,
        code: 'INVALID_RECORD',
        field: 'colour',
        value: '"red"',
        hint: expect.stringMatching(/metadata/),
      },
      {
        isRecallError: true,
        code: 'INVALID_CONFIG',
        field: 'runtime',
        value: '"inline"',
        hint: expect.stringMatching(/\w/),
      },
      {
        isRecallError: true,
        code: 'INVALID_RECORD',
        field: 'metadata',
        value: 'an object',
        hint: expect.stringMatching(/without functions/),
      },
    ])
  })

  detail('[E1] a call ends by its signal and by closing', async () => {
    expect(await page.evaluate('endings')).toEqual({ aborted: 'ABORTED', pending: 'CLOSED', later: 'CLOSED' })
  })

  detail('[E1] a call ends by its deadline when the worker never answers', async () => {
    expect(await unanswered).toBe('DEADLINE_EXCEEDED')
  })

  test('[E1] a worker that cannot be loaded is INVALID_CONFIG, one that dies LEADER_LOST', async () => {
    expect(await page.evaluate('failures')).toEqual({
      missing: 'INVALID_CONFIG',
      died: 'LEADER_LOST',
      after: 'LEADER_LOST',
    })
  })

  test('[D1] the built-in embedder makes the same bits as in Node', async () => {
    expect(await page.evaluate('embeddingHash', embeddingTexts)).toBe(embeddingHash)
  })

  test('the browser logged no error', () => {
    const complaints = page.console.filter(({ level }) => level === 'error' || level === 'warn')
    // Two tests above make a worker fail on purpose.
    const unexpected = complaints.filter(({ text }) => !/missing-worker|404|by design/.test(text))
    expect(unexpected).toEqual([])
  })
})

interface Walk {
  readonly tookMs: number
  readonly backend: string
  readonly reopened: number
}

const pageScript = `
  const codeOf = (work) => Promise.resolve().then(work).then(() => 'no error', (error) => error.code ?? String(error))
  let number = 0
  const newName = () => 'store-' + (number += 1) + '-' + performance.now()

  window.walk = async (storage) => {
    const name = newName()
    const recall = await scrubjay.openRecall({ name, storage })
    const records = Array.from({ length: 50 }, (_, i) => ({
      id: 'record-' + i,
      title: i === 7 ? 'How to compile the program' : 'Recipe number ' + i,
      body: i === 7 ? 'Run the build in the folder.' : 'Flour, sugar and ' + i + ' apples.',
    }))
    const receipt = await recall.put(records)
    const result = await recall.recall('building the application from source')
    const forgotten = await recall.forget(result.hits[0].id)
    const proof = await recall.verifyForgotten('record-7')
    const afterwards = await recall.count()
    const { backend, runtime } = await recall.status()
    await recall.close()
    const again = await scrubjay.openRecall({ name, storage })
    const reopened = await again.count()
    await again.destroy()
    return {
      inserted: receipt.records.filter(({ outcome }) => outcome === 'inserted').length,
      first: result.hits[0].id,
      isVectorRun: result.plan.channels.vector.ran,
      tookMs: result.tookMs,
      forgotten: forgotten.forgotten,
      isClean: proof.clean,
      afterwards, backend, runtime, reopened,
      closed: await codeOf(() => recall.count()),
    }
  }

  let asked = 0
  if (navigator.storage?.persist) {
    const persist = navigator.storage.persist.bind(navigator.storage)
    navigator.storage.persist = () => { asked += 1; return persist() }
  }
  window.storing = async () => {
    const heard = []
    const recall = await scrubjay.openRecall({ name: newName(), embedder: null })
    recall.subscribe(({ type, backend }) => { if (type === 'storage') heard.push(type + ' ' + backend) })
    const counts = [asked]
    const { durability: receipt } = await recall.put({ body: 'one' })
    counts.push(asked)
    await recall.put({ body: 'two' })
    counts.push(asked)
    const { backend, durability, evictionRisk, persisted } = await recall.status()
    await recall.destroy()
    return { backend, durability, evictionRisk, persisted, receipt, heard, asked: counts }
  }

  window.errors = async () => {
    const recall = await scrubjay.openRecall({ name: newName(), storage: 'memory' })
    const describe = (work) => Promise.resolve().then(work).then(() => 'no error', (error) => ({
      isRecallError: error instanceof scrubjay.RecallError,
      code: error.code, field: error.field ?? null, value: error.value ?? null, hint: error.hint ?? null,
    }))
    const found = [
      await describe(() => recall.recall({ text: 'x', limit: 0 })),
      await describe(() => recall.put({ title: 'x', colour: 'red' })),
      await describe(() => scrubjay.openRecall({ name: newName(), runtime: 'inline' })),
      await describe(() => recall.put({ title: 'x', metadata: { run: () => 1 } })),
    ]
    await recall.close()
    return found
  }

  window.endings = async () => {
    const recall = await scrubjay.openRecall({ name: newName(), storage: 'memory' })
    const controller = new AbortController()
    const putting = recall.put(Array.from({ length: 500 }, (_, i) => ({ title: 'text ' + i })), { signal: controller.signal })
    controller.abort()
    const aborted = await codeOf(() => putting)
    const pending = codeOf(() => recall.status())
    await recall.close()
    return { aborted, pending: await pending, later: await codeOf(() => recall.status()) }
  }

  const muteWorker = () => new Worker(new URL('mute-worker.js', location.href), { type: 'module' })
  window.deadline = () => codeOf(async () => {
    const recall = await scrubjay.openRecall({ name: newName(), embedder: null, assets: { worker: muteWorker } })
    await recall.count()
  })
  window.failures = async () => {
    const assets = { worker: new URL('missing-worker.js', location.href) }
    const missing = await codeOf(() => scrubjay.openRecall({ name: newName(), embedder: null, assets }))
    const recall = await scrubjay.openRecall({ name: newName(), embedder: null, assets: { worker: muteWorker } })
    const died = await codeOf(() => recall.tags())
    return { missing, died, after: await codeOf(() => recall.tags()) }
  }

  window.embeddingHash = async (texts) => {
    const vectors = await embedders.staticEmbedder().embed(texts, 'document')
    const bytes = await new Blob(vectors).arrayBuffer()
    return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
`

/** Welcomes, answers no other message, and dies when it gets a call of tags. */
const muteWorkerSource = `addEventListener('message', ({ data }) => {
  const [method] = data.path ?? []
  if (method === 'open') postMessage({ id: data.id, type: 'RAW', value: { ok: true, value: { version: ${protocolVersion} }, tookMs: 0 } })
  if (method === 'call' && data.argumentList[0].value.method === 'tags') throw new Error('by design')
})`
