/** Tests `openRecall({ remote })` in real browsers, in a page of another origin than the server: answers, live queries, origins. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRecall } from '../../src/index.ts'
import { hashToken, type RecallServer, serve } from '../../src/server/index.ts'
import { availableBrowsers, type Browser } from '../support/browsers/browsers.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { type BundledPage, bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts'

if (noPostgres !== null) console.warn(`skipped: ${noPostgres}`)

describe.skipIf(noPostgres !== null)('a page of another origin', () => {
  let database: Postgres
  let bundle: BundledPage
  let site: Awaited<ReturnType<typeof serveFolder>>
  const servers: RecallServer[] = []

  const start = async (origins: readonly string[]) => {
    const tokens = { [hashToken('page-token')]: 'page' }
    const server = await serve(
      { postgres: database.url, tokens, store: { embedder: null }, origins, pollMs: 50 },
      { port: 0 },
    )
    servers.push(server)
    return server
  }
  beforeAll(async () => {
    database = await startPostgres()
    bundle = await bundlePage(pageScript)
    site = await serveFolder(bundle.folder)
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    await database?.stop()
    await site?.close()
    await bundle?.remove()
  })

  describe.each(availableBrowsers())('%s', (kind) => {
    let browser: Browser
    beforeAll(async () => void (browser = await shareBrowser(kind)))
    afterAll(async () => browser?.close())

    test('puts, asks, and follows what others write, if its origin is listed', async () => {
      const server = await start([new URL(site.url).origin])
      const page = await browser.page(`${site.url}/`)
      await page.evaluate(`open(${JSON.stringify(server.url)})`)
      expect(await page.evaluate(`put('mine-${kind}', 'Acorns under the oak, says ${kind}')`)).toBe('committed')
      expect(await page.evaluate(`ask('acorns ${kind}')`)).toContain(`mine-${kind}`)
      const other = await openRecall({ remote: server.url, token: 'page-token' })
      await other.put({ id: `other-${kind}`, body: `More acorns behind the shed, says ${kind}` })
      expect(await page.evaluate(`shown('other-${kind}')`)).toBe(true)
      await other.forget(`other-${kind}`)
      expect(await page.evaluate(`gone('other-${kind}')`)).toBe(true)
      expect(await page.evaluate(`post(${JSON.stringify(server.url)})`)).toMatchObject({ ok: true })
      expect(await page.evaluate(`connect(${JSON.stringify(server.url)})`)).toBe('open')
      await page.evaluate('store.close()')
      await other.close()
      await page.close()
    })

    test('control: is refused if its origin is not listed', async () => {
      const server = await start(['https://app.example'])
      const page = await browser.page(`${site.url}/`)
      expect(await page.evaluate(`connect(${JSON.stringify(server.url)})`)).toBe('error')
      expect(await page.evaluate(`post(${JSON.stringify(server.url)}).catch(({ name }) => name)`)).toBe('TypeError')
      await page.close()
    })
  })
})

const pageScript = `
let answers = []
window.open = async (remote) => {
  window.store = await scrubjay.openRecall({ remote, token: async () => 'page-token' })
  window.store.subscribe({ query: { text: 'acorns' } }, ({ hits }) => (answers = hits.map(({ id }) => id)))
}
window.put = async (id, body) => (await store.put({ id, body })).durability
window.ask = async (text) => (await store.recall({ text })).hits.map(({ id }) => id)
const until = async (isTrue) => {
  for (let i = 0; i < 500 && !isTrue(); i++) await new Promise((resolve) => setTimeout(resolve, 20))
  return isTrue()
}
window.shown = (id) => until(() => answers.includes(id))
window.gone = (id) => until(() => !answers.includes(id))
window.connect = (url) =>
  new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws') + '/v1/live', 'scrubjay')
    for (const type of ['open', 'error']) socket.addEventListener(type, () => resolve(type))
  })
window.post = async (url) => {
  const headers = { authorization: 'Bearer page-token', 'content-type': 'application/json' }
  const body = JSON.stringify({ method: 'count', request: { scope: {} } })
  return (await fetch(url + '/v1/call', { method: 'POST', headers, body })).json()
}
`
