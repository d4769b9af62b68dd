/**
 * Measures the import of 5,000 notes of 2 kB in Chromium, with the built package, the built-in vectors and a store in OPFS:
 * `npx tsx test/bench/import/measure-page.ts`, with another number of notes as argument. It stores 40 records at a time, as the demos do, and asks a question every 100 ms meanwhile.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../support/browsers/browsers.ts'
import { bundlePage } from '../../support/pages/bundle-page.ts'
import { serveFolder } from '../../support/pages/static-server.ts'
import { smallTalk } from './known-turns.ts'

const count = Number(process.argv[2] ?? 5_000)
const words = [
  ...new Set(
    smallTalk
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu),
  ),
]

const script = `
import { readExport } from 'scrubjay/import'
let seed = 44
const pick = (list) => list[((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >>> 8) % list.length]
const text = (words) => Array.from({ length: 280 }, () => pick(words)).join(' ')
const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
window.importNotes = async (count, words) => {
  const files = Array.from({ length: count }, (_, i) => ({
    path: 'folder ' + (i % 50) + '/note ' + i + '.md',
    text: '---\\ntags: [t' + (i % 40) + ']\\n---\\n# Note ' + i + '\\n\\n' + text(words) + ' [[note ' + ((i * 7) % count) + ']]\\n',
  }))
  const recall = await scrubjay.openRecall({ name: 'import', embedder: embedders.staticEmbedder() })
  await recall.recall({ text: 'warm up' })
  const answersMs = []
  let isDone = false
  const longTasksMs = []
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasksMs.push(Math.round(duration)) }).observe({ type: 'longtask' })
  const asking = (async () => {
    while (!isDone) {
      const beganMs = performance.now()
      await recall.recall({ text: pick(words) + ' ' + pick(words) + ' ' + pick(words) })
      answersMs.push(performance.now() - beganMs)
      await new Promise((done) => setTimeout(done, 100))
    }
  })()
  const beganMs = performance.now()
  let batch = []
  for await (const record of readExport(files)) {
    batch.push(record)
    if (batch.length === 40) await recall.put(batch.splice(0))
  }
  await recall.put(batch)
  const tookMs = performance.now() - beganMs
  isDone = true
  await asking
  const { records } = await recall.status()
  await recall.close()
  return {
    records,
    tookMs,
    answers: answersMs.length,
    p50Ms: percentile(answersMs, 0.5),
    p95Ms: percentile(answersMs, 0.95),
    mostMs: Math.max(...answersMs),
    longTasksMs,
  }
}
`

const page = await bundlePage(script)
const site = await serveFolder(page.folder)
const profileDir = await mkdtemp(join(tmpdir(), 'scrubjay-import-'))
const browser = await openBrowser('chromium', { profileDir, evaluateTimeoutMs: 600_000 })
try {
  const tab = await browser.page(`${site.url}/`)
  const found = await tab.evaluate('(count, words) => importNotes(count, words)', count, words)
  process.stdout.write(`Chromium ${browser.version}: ${JSON.stringify(found)}\n`)
} finally {
  await browser.close()
  await site.close()
  await page.remove()
  await rm(profileDir, { recursive: true, force: true })
}
