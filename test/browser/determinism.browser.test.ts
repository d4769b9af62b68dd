/**
 * [D1] Compares bytes between engines: the golden store through the public client, over real workers and storages,
 * must answer like Node's inline engine, receipts and revisions included, and match the committed hashes.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { precomputed } from '../../src/embedders/index.ts'
import { openRecall } from '../../src/index.ts'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { casesOf, detailIn, isInDetail } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { runGerman } from '../support/stores/german-store.ts'
import { type GoldenRun, type GoldenVariant, runGolden } from '../support/stores/golden-run.ts'

const golden = readFileSync(new URL('../golden/recall.sha256', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

const german = readFileSync(new URL('../golden/german.sha256', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

type Runs = Readonly<Record<GoldenVariant, GoldenRun>>

let inNode: Runs
let bundle: BundledPage
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  const run = (variant: GoldenVariant) => runGolden({ openRecall, precomputed }, variant, 'memory')
  inNode = { given: await run('given'), 'built-in': await run('built-in'), changed: await run('changed') }
  bundle = await bundlePage(pageScript)
  site = await serveFolder(bundle.folder)
})

afterAll(async () => {
  await site?.close()
  await bundle?.remove()
})

test('[D1] Node gives the golden bytes, and other ones when the built-in embedder makes the vectors', () => {
  expect(inNode.given).toMatchObject({ lines: golden, runtime: 'inline' })
  expect(inNode['built-in'].vectors).toBeGreaterThanOrEqual(297)
  expect(inNode['built-in'].lines).not.toEqual(golden)
})

test('[D1] control: one character of one record changes some answers and not others', () => {
  const same = inNode.changed.lines.filter((line, i) => line === inNode.given.lines[i])
  expect(same.length).toBeGreaterThan(0)
  expect(same.length).toBeLessThan(golden.length)
})

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    // Its own: a shared one compiles later than for users.
    browser = await (kind === 'firefox' ? shareBrowser : openBrowser)(kind)
    page = await browser.page(`${site.url}/`)
  })

  afterAll(async () => {
    await browser?.close()
  })

  // WebKit has no OPFS here. One storage suffices to compare the bits of an engine.
  test.each(kind === 'webkit' || !isInDetail(kind) ? ['memory'] : casesOf(['opfs'], ['memory']))(
    '[D1] gives the golden bytes from %s',
    async (storage) => {
      const run = await runInPage('given', storage)
      expect(run).toMatchObject({ backend: storage, runtime: 'worker', vectors: inNode.given.vectors })
      expect(await firstDifference(run, inNode.given)).toBe('none')
      expect(await firstDifference(run, inNode.changed), 'control').toContain('Node: ')
      expect(run.lines).toEqual(golden)
      expect(run.browsing).toBe(inNode.given.browsing)
    },
  )

  test('[D1] gives Node’s bytes when the built-in embedder makes all vectors', async () => {
    const run = await runInPage('built-in', 'memory')
    expect(run.vectors).toBe(inNode['built-in'].vectors)
    expect(await firstDifference(run, inNode['built-in'])).toBe('none')
  })

  test('[D1] gives the golden bytes of a store in German, whose file the worker loads', async () => {
    expect(await page.evaluate('german', kind === 'webkit' ? 'memory' : 'opfs')).toEqual(german)
  })

  detail('[D1] control: one changed record gives the same changed bytes as in Node', async () => {
    const lines = await page.evaluate('(...args) => window.german(...args)', 'memory', true)
    expect(lines).not.toEqual(german)
    expect(lines).toEqual(await runGerman({ openRecall }, 'memory', true))
  })

  /** The answers stay in the page: only one that differs is transferred. */
  function runInPage(variant: GoldenVariant, storage: string): Promise<Omit<GoldenRun, 'answers'>> {
    return page.evaluate('run', variant, storage)
  }

  /** `none`, or the first question whose answers differ, with both texts around the first difference. */
  async function firstDifference({ lines }: { readonly lines: readonly string[] }, expected: GoldenRun) {
    const i = expected.lines.findIndex((line, at) => line !== lines[at])
    if (i === -1) return lines.length === expected.lines.length ? 'none' : `${lines.length} answers`
    // The receipts have the last line together, and no text.
    const [theirs, ours] = [(await page.evaluate<string | undefined>('answer', i)) ?? '', expected.answers[i] ?? '']
    let parting = 0
    while (parting < ours.length && ours[parting] === theirs[parting]) parting += 1
    const near = (text: string) => text.slice(Math.max(0, parting - 150), parting + 150)
    return `${expected.lines[i]?.slice(66)}, at ${parting}:\nNode: ${near(ours)}\n${kind}: ${near(theirs)}`
  }
})

const goldenRun = fileURLToPath(new URL('../support/stores/golden-run.ts', import.meta.url))

const germanStore = fileURLToPath(new URL('../support/stores/german-store.ts', import.meta.url))

const pageScript = `
  import { runGerman } from ${JSON.stringify(germanStore)}
  import { runGolden } from ${JSON.stringify(goldenRun)}
  let answers = []
  window.run = async (variant, storage) => {
    const entries = { openRecall: scrubjay.openRecall, precomputed: embedders.precomputed }
    const run = await runGolden(entries, variant, storage)
    answers = run.answers
    return { ...run, answers: undefined }
  }
  window.answer = (i) => answers[i]
  window.german = (storage, isChanged) => runGerman({ openRecall: scrubjay.openRecall }, storage, isChanged)
`
