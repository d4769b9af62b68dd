/**
 * Tests pages where a worker is hard to start: files on another origin, Trusted Types, URLs without an origin, missing
 * or wrong files, a policy without WebAssembly. Either it works, or `openRecall` rejects with one RecallError and the
 * page sees no other error.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableBrowsers, type Browser } from '../support/browsers/browsers.ts'
import { detailIn, isInDetail } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { serveFolder } from '../support/pages/static-server.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const cors = { 'Access-Control-Allow-Origin': '*' }

let folder: string
const sites: Awaited<ReturnType<typeof serveFolder>>[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-start-'))
  await writeFile(join(folder, 'index.html'), pageHtml)
  await writeFile(join(folder, 'page.js'), pageScript)
  await writeFile(join(folder, 'wrong.wasm'), new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
})

afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()))
  await rm(folder, { recursive: true, force: true })
})

async function serve(root: string, headers: Record<string, string>, mounts: Record<string, string> = {}) {
  const site = await serveFolder(root, { headers, mounts })
  sites.push(site)
  return site.url
}

interface Attempt {
  readonly ids?: readonly string[]
  readonly isVectorRun?: boolean
  readonly error?: { readonly name: string; readonly code: string; readonly field: string; readonly message: string }
  readonly uncaught: readonly string[]
}

const works = { ids: ['a'], isVectorRun: true, uncaught: [] }

describe.each(availableBrowsers())('%s', (kind) => {
  const detail = detailIn(kind)
  let browser: Browser

  beforeAll(async () => {
    browser = await shareBrowser(kind)
  })
  afterAll(() => browser?.close())

  /** The page's attempt with the module at `from`, and the errors printed. */
  async function attempt(policy: string | null, from: string, assets: Record<string, string> = {}) {
    const headers: Record<string, string> = policy === null ? {} : { 'Content-Security-Policy': policy }
    const site = await serve(folder, headers, { '/dist': dist })
    const page = await browser.page(`${site}/`)
    try {
      const url = from.startsWith('http') ? from : `${site}${from}`
      const made = await page.evaluate<Attempt>('attempt', url, assets)
      const hasTrustedTypes = await page.evaluate<boolean>('"trustedTypes" in window')
      return { ...made, hasTrustedTypes, printed: page.console.map(({ text }) => text) }
    } finally {
      await page.close()
    }
  }

  const module = '/dist/src/standalone/index.js'

  test('a module imported by its path works under the documented policy', async () => {
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"
    expect(await attempt(policy, module)).toMatchObject(works)
  })

  detail('a module from another origin starts its workers through a blob', async () => {
    const cdn = await serve(dist, cors)
    expect(await attempt(null, `${cdn}/src/standalone/index.js`)).toMatchObject(works)
  })

  test('a module from another origin starts its workers through a blob under the policy documented for it, too', async () => {
    const cdn = await serve(dist, cors)
    const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${cdn}; worker-src blob: ${cdn}; connect-src ${cdn}`
    const made = await attempt(policy, `${cdn}/src/standalone/index.js`)
    expect(made).toMatchObject(works)
  })

  test('[E1] a worker from another origin without CORS is a RecallError that names CORS', async () => {
    const cdn = await serve(dist, {})
    const made = await attempt(null, module, { worker: `${cdn}/worker/index.js` })
    expect(made).toMatchObject({ uncaught: [], error: { code: 'INVALID_CONFIG', field: 'assets.worker' } })
    expect(made.error?.message).toMatch(/cannot be started: .*also needs CORS, and that origin and blob: in worker-src/)
  })

  test('Trusted Types: works with the policy scrubjay allowed', async () => {
    const policy = "require-trusted-types-for 'script'; trusted-types scrubjay"
    expect(await attempt(policy, module)).toMatchObject(works)
  })

  detail('[E1] Trusted Types: refused with a RecallError that names the policy', async (context) => {
    const made = await attempt("require-trusted-types-for 'script'; trusted-types other", module)
    if (!made.hasTrustedTypes) return context.skip()
    expect(made).toMatchObject({ uncaught: [], error: { code: 'INVALID_CONFIG', field: 'assets.worker' } })
    expect(made.error?.message).toMatch(/Trusted.*allow the policy scrubjay in trusted-types/)
  })

  detail('URLs from the root of the site, as Next.js compiles them, reach the workers unchanged', async () => {
    const assets = {
      embedding: '!/dist/src/embedders/minilm-static-128.bin',
      sqliteWasm: '!/dist/worker/sqlite3.wasm',
    }
    expect(await attempt(null, module, assets)).toMatchObject(works)
    // Control: such a URL cannot be parsed with another base, or with none.
    const page = await browser.page(`${sites.at(-1)?.url}/`)
    expect(
      await page.evaluate(`(() => { try { return new URL(fromRoot('/x').href).href } catch { return 'no' } })()`),
    ).toBe('no')
    await page.close()
  })

  test('[E1] a missing worker is one RecallError', async () => {
    const made = await attempt(null, module, { worker: '/no/index.js' })
    expect(made).toMatchObject({ uncaught: [], error: { code: 'INVALID_CONFIG', field: 'assets.worker' } })
  })

  detail('[E1] a function of the app that cannot make its worker is a RecallError', async () => {
    const made = await attempt(null, module, { worker: 'throws' })
    expect(made).toMatchObject({ uncaught: [], error: { code: 'INVALID_CONFIG', field: 'assets.worker' } })
    expect(made.error?.message).toMatch(/cannot be started: mine\. Hint: Serve/)
  })

  test.each([
    ['missing', null, { sqliteWasm: '/no.wasm' }, /could not be fetched: status 404, got .*no\.wasm". Hint: Serve/],
    ...(isInDetail(kind)
      ? ([['of another program', null, { sqliteWasm: '/wrong.wasm' }, /must be the one of this version/]] as const)
      : []),
    ['refused by the policy', "script-src 'self'", {}, /policy refuses: .* Add wasm-unsafe-eval/],
  ] as const)(
    '[E1] sqlite3.wasm that is %s is reported once, by a RecallError',
    async (_what, policy, assets, words) => {
      const made = await attempt(policy, module, assets)
      expect(made).toMatchObject({ uncaught: [], error: { name: 'RecallError', code: 'STORAGE_UNAVAILABLE' } })
      expect(made.error?.message).toMatch(words)
      expect(made.error?.message).not.toMatch(/\.\.|sASSERTIONS|Aborted/)
      expect(made.printed.filter((text) => /sqlite3 module|Aborted|asynchronously/.test(text))).toEqual([])
    },
  )
})

const pageHtml = `<!doctype html><html lang="en"><meta charset="utf-8"><title>start</title><script src="page.js"></script></html>`

const pageScript = `
const uncaught = []
addEventListener('error', (event) => uncaught.push(event.message))
addEventListener('unhandledrejection', (event) => uncaught.push(String(event.reason)))

function fromRoot(path) {
  const url = Object.create(URL.prototype)
  for (const name of ['href', 'pathname']) Object.defineProperty(url, name, { value: path })
  return url
}

/** Names to URLs; a path beginning with ! is an object as Next.js makes it. */
function readAssets(paths) {
  const url = (path) => (path.startsWith('!') ? fromRoot(path.slice(1)) : new URL(path, location.href))
  const throws = () => { throw new TypeError('mine.') }
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, path === 'throws' ? throws : url(path)]))
}

async function attempt(from, assets) {
  const { openRecall } = await import(from)
  try {
    const store = await openRecall({ storage: 'memory', assets: readAssets(assets) })
    await store.put([{ id: 'a', title: 'How to compile the program' }, { id: 'b', title: 'Apple pie' }])
    const { hits, plan } = await store.recall({ text: 'building an application', limit: 1 })
    // An old page event must not start the failed worker again.
    dispatchEvent(new Event('pageshow'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await store.close()
    return { ids: hits.map(({ id }) => id), isVectorRun: plan.channels.vector.ran, uncaught }
  } catch (error) {
    const { name, code, field, message } = error
    dispatchEvent(new Event('pageshow'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { error: { name, code, field, message }, uncaught }
  }
}
`
