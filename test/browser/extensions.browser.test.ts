/**
 * Tests an extension module in the engine's worker: loaded under a policy that allows only the site's own scripts,
 * applied, and refused when malformed.
 */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type StrictPage, serveStrictPage } from '../support/pages/serve-strict-page.ts'

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"

let site: StrictPage

beforeAll(async () => {
  site = await serveStrictPage(pageScript, {
    policy,
    mounts: { '/extensions': fileURLToPath(new URL('../support/extensions/', import.meta.url)) },
  })
})

afterAll(() => site?.close())

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser

  beforeAll(async () => {
    browser = await shareBrowser(kind)
  })

  afterAll(() => browser?.close())

  test("applies the redaction of a module from the page's site in the worker", async () => {
    const page = await browser.page(site.url)
    expect(await page.evaluate('run("extensions/redact.mjs")')).toEqual({ body: 'hides [hidden] here', found: 0 })
    await page.close()
  })

  test('refuses a module that no worker can load, and functions', async () => {
    const page = await browser.page(site.url)
    const refusal = { code: 'INVALID_CONFIG', field: 'extensions' }
    expect(await page.evaluate('refused("extensions/none.mjs")')).toEqual(refusal)
    // The policy forbids another origin.
    expect(await page.evaluate('refused("http://localhost:1/redact.mjs")')).toEqual(refusal)
    expect(await page.evaluate('refused({ redact: (text) => text })')).toEqual(refusal)
    await page.close()
  })
})

const pageScript = `
const open = (extensions) => scrubjay.openRecall({ storage: 'memory', embedder: null, extensions })
window.run = async (extensions) => {
  const recall = await open(extensions)
  await recall.put({ id: 'a', body: 'hides ACORN-17 here' })
  const { body } = await recall.get('a')
  const { plan } = await recall.recall('ACORN')
  await recall.close()
  return { body, found: plan.channels.lexical.matched }
}
window.refused = (extensions) => open(extensions).then(() => 'opened', ({ code, field }) => ({ code, field }))
`
