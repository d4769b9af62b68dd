/**
 * Exposes the tools to the model context of Chromium, which has it behind a flag, and calls them as an agent of the browser does. A Chromium
 * without it gets a stand-in.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser, openBrowser, type Page } from '../support/browsers/browsers.ts'
import { type StrictPage, serveStrictPage } from '../support/pages/serve-strict-page.ts'

describe.runIf(availableBrowsers().includes('chromium'))('WebMCP in Chromium', () => {
  let site: StrictPage
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    site = await serveStrictPage(pageScript)
    browser = await openBrowser('chromium', { args: ['--enable-features=WebMCP'], compilesLate: true })
    page = await browser.page(site.url)
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const call = (name: string, args: object) =>
    page.evaluate<Record<string, unknown>>('return call(args[0], args[1])', name, args)

  test('an agent finds the tools, stores, recalls and gets the errors of wrong calls', async () => {
    await page.evaluate('expose({ offered: ["remember", "recall", "assemble"] })')
    expect(await page.evaluate('listed()')).toEqual(['assemble', 'recall', 'remember'])
    expect(await call('remember', { text: 'The deploy key rotates on Mondays' })).toMatchObject({ outcome: 'inserted' })
    expect(await call('recall', { query: 'when does the deploy key rotate' })).toMatchObject({
      evidence: 'strong',
      records: [{ text: 'The deploy key rotates on Mondays' }],
    })
    expect(await call('recall', { query: 'x', limit: 0 })).toMatchObject({
      error: { code: 'INVALID_ARGUMENT', field: 'limit', hint: 'Give a number in this range.' },
    })
  })

  test('tools can be unregistered, and are registered all or none', async () => {
    await page.evaluate('end()')
    expect(await page.evaluate('listed()')).toEqual([])
    // Another script of the page has registered `recall`: the browser refuses a second tool of this name.
    expect(await page.evaluate('clash()')).toEqual({ refused: true, listed: ['recall'] })
  })
})

const pageScript = `
import { exposeTools } from 'scrubjay/tools'
const context = document.modelContext ?? standIn()
let recall
window.expose = async (options) => {
  recall = await scrubjay.openRecall({ storage: 'memory', embedder: null })
  window.end = await exposeTools(recall, context, options)
}
window.listed = async () => (await context.getTools()).map(({ name }) => name).sort()
window.call = async (name, args) => {
  const tool = (await context.getTools()).find((one) => one.name === name)
  const answer = await context.executeTool(tool, args)
  return typeof answer === 'string' ? JSON.parse(answer) : answer
}
// For a Chromium without WebMCP: the same interface, over a map.
function standIn() {
  const tools = new Map()
  return {
    async registerTool(tool, { signal } = {}) {
      if (tools.has(tool.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError')
      tools.set(tool.name, tool)
      signal?.addEventListener('abort', () => tools.delete(tool.name))
    },
    getTools: async () => [...tools.values()],
    executeTool: async ({ name }, input) => tools.get(name).execute(input, {}),
  }
}
window.clash = async () => {
  await context.registerTool({ name: 'recall', description: 'another one', execute: () => 'other' })
  const refused = await exposeTools(recall, context).then(() => false, () => true)
  return { refused, listed: await listed() }
}
`
