/**
 * Tests the tools of the other browser tests: each browser starts, loads a page, runs a module worker with
 * WebAssembly, answers, reloads, takes screenshots, reports errors, is killed and cleans up.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { availableBrowsers, type Browser, missingBrowsers, openBrowser } from '../support/browsers/browsers.ts'
import { isInDetail } from '../support/browsers/detail.ts'
import { shareBrowser } from '../support/browsers/shared-browser.ts'
import { serveFolder } from '../support/pages/static-server.ts'

// The policy of an extension page, the strictest under which the library must run.
const strictPolicy = "script-src 'self' 'wasm-unsafe-eval'"

let root: string
let site: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'scrubjay-smoke-'))
  await writeSite(root)
  site = await serveFolder(root, { headers: { 'Content-Security-Policy': strictPolicy } })
})

afterAll(async () => {
  await site.close()
  await rm(root, { recursive: true, force: true })
})

// Empty when all three are installed; otherwise the report names the missing ones, and CI fails.
for (const { kind, reason } of missingBrowsers()) {
  test(`${kind} is missing: ${reason}`, ({ skip }) => {
    if (process.env['CI'] === 'true') expect.fail(reason)
    skip(reason)
  })
}

describe.each(availableBrowsers())('%s', (kind) => {
  let browser: Browser

  beforeAll(async () => {
    browser = await shareBrowser(kind)
    process.stdout.write(`${kind} ${browser.version} started in ${Math.round(browser.startMs)} ms\n`)
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('reports its name and version', () => {
    expect(browser.kind).toBe(kind)
    expect(browser.version).toMatch(/^\d+\.\d/)
    expect(isAlive(browser.processId)).toBe(true)
  })

  test('evaluates expressions, functions and bodies, and passes errors on', async () => {
    const page = await browser.page(`${site.url}/`)
    expect(await page.evaluate('document.title')).toBe('Smoke')
    expect(await page.evaluate('async (a, b) => a + b', 2, 3)).toBe(5)
    expect(
      await page.evaluate('const text = await args[0].text; return { text }', { text: '"\u2028</script>' }),
    ).toEqual({
      text: '"\u2028</script>',
    })
    expect(await page.evaluate('undefined')).toBeUndefined()
    await expect(page.evaluate('throw new RangeError("out of seeds")')).rejects.toThrow(/^out of seeds/)
    await page.close()
  })

  test('runs WebAssembly in a module worker under the strict policy', async () => {
    const page = await browser.page(`${site.url}/`)
    expect(await page.evaluate('askWorker(20, 22)')).toEqual({
      sum: 42,
      contentType: 'application/wasm',
      // Control: the policy is really in force.
      evalOutcome: 'EvalError',
    })
    await page.close()
  })

  test('reloads a page', async () => {
    const page = await browser.page(`${site.url}/`)
    await page.evaluate('window.mark = 1')
    await page.reload()
    expect(await page.evaluate('typeof window.mark')).toBe('undefined')
    await page.close()
  })

  test('lets two pages wait for each other', async () => {
    const [asking, answering] = [await browser.page(`${site.url}/`), await browser.page(`${site.url}/`)]
    const answer = asking.evaluate('hear("answer")')
    const question = answering.evaluate('hear("question")').then(() => answering.evaluate('say("answer", "here")'))
    await asking.evaluate('say("question", "who?")')
    expect(await answer).toBe('here')
    await question
    await asking.close()
    await answering.close()
  })

  test('collects console messages and uncaught errors', async () => {
    const page = await browser.page(`${site.url}/`)
    await page.evaluate('complain()')
    await expect
      .poll(async () => {
        // WebKit returns its messages with an evaluation.
        await page.evaluate('1')
        return page.console.filter(({ level }) => level === 'error').map(({ text }) => text)
      })
      .toEqual([expect.stringContaining('said aloud'), expect.stringContaining('never caught')])
    await page.close()
  })

  test('takes a screenshot of the requested size', async () => {
    const page = await browser.page(`${site.url}/`)
    const path = join(root, `${kind}.png`)
    await page.screenshot(path, { width: 640, height: 400 })
    expect(pngSize(await readFile(path))).toEqual({ width: 640, height: 400 })
    await page.close()
  })

  // Conditions instead of skips: a skipped test in the report always means a missing browser.
  if (kind === 'chromium') {
    test('photographs the dark scheme and accepts DevTools commands', async () => {
      const page = await browser.page(`${site.url}/`)
      await page.screenshot(join(root, 'dark.png'), { width: 320, height: 200, dark: true })
      expect(await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true)
      const { processInfo } = await browser.devtools<{ processInfo: { type: string }[] }>('SystemInfo.getProcessInfo')
      expect(processInfo.map(({ type }) => type)).toContain('renderer')
      await page.devtools('Storage.overrideQuotaForOrigin', { origin: site.url, quotaSize: 3_000_000 })
      // Read through DevTools: the page's own estimate() does not show an override, though writes obey it.
      expect(await page.devtools('Storage.getUsageAndQuota', { origin: site.url })).toMatchObject({
        quota: 3_000_000,
        overrideActive: true,
      })
      await page.close()
    })
  }

  test('ends a hanging evaluation with a clear error; is killed as a whole and leaves nothing behind', async () => {
    // Other files open browsers at the same time.
    const own = await mkdtemp(join(root, 'profiles-'))
    vi.stubEnv('TMPDIR', own)
    onTestFinished(() => void vi.unstubAllEnvs())
    const victim = await openBrowser(kind, { evaluateTimeoutMs: 3_000 })
    const page = await victim.page(`${site.url}/`)
    expect(await temporaryProfiles(kind), 'control').toHaveLength(1)
    await expect(page.evaluate('new Promise(() => {})')).rejects.toThrow(
      /evaluating new Promise.* took longer than 3000 ms/,
    )
    const waiting = page.evaluate('new Promise(() => {})').catch((error: unknown) => String(error))
    await victim.kill()
    expect(await waiting).toMatch(/^(?!.*took longer).*Error/)
    await expect.poll(() => isAlive(victim.processId)).toBe(false)
    await victim.close()
    await victim.close()
    expect(await temporaryProfiles(kind)).toEqual([])
  })

  // WebKit keeps none.
  if (kind !== 'webkit' && isInDetail(kind)) {
    test('keeps a given profile over a kill', async () => {
      const profileDir = join(root, `profile-${kind}`)
      const first = await openBrowser(kind, { profileDir })
      try {
        const page = await first.page(`${site.url}/`)
        await page.evaluate('keep("acorn")')
      } finally {
        await first.kill()
        await first.close()
      }
      const second = await openBrowser(kind, { profileDir })
      try {
        const page = await second.page(`${site.url}/`)
        expect(await page.evaluate('kept()')).toBe('acorn')
      } finally {
        await second.close()
      }
      expect(existsSync(profileDir)).toBe(true)
    })
  }
})

async function writeSite(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Smoke</title><p>Hello.</p><script type="module" src="page.js"></script></html>',
  )
  await writeFile(join(folder, 'page.js'), pageSource)
  await writeFile(join(folder, 'worker.js'), workerSource)
  await writeFile(join(folder, 'add.wasm'), addModule)
}

const pageSource = `
  window.askWorker = (a, b) => new Promise((resolve, reject) => {
    const worker = new Worker('worker.js', { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error('worker: ' + message))
    worker.postMessage([a, b])
  })
  const channel = new BroadcastChannel('smoke')
  const heard = new Map()
  const awaited = new Map()
  channel.onmessage = ({ data: [topic, text] }) => { heard.set(topic, text); awaited.get(topic)?.(text) }
  window.hear = (topic) => heard.has(topic) ? heard.get(topic) : new Promise((resolve) => awaited.set(topic, resolve))
  window.say = (topic, text) => channel.postMessage([topic, text])
  window.complain = () => {
    console.error('said aloud')
    setTimeout(() => { throw new Error('never caught') })
  }
  const open = () => new Promise((resolve, reject) => {
    const request = indexedDB.open('smoke', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('notes')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  window.keep = async (text) => {
    const transaction = (await open()).transaction('notes', 'readwrite', { durability: 'strict' })
    transaction.objectStore('notes').put(text, 'only')
    await new Promise((resolve) => (transaction.oncomplete = resolve))
  }
  window.kept = async () => {
    const request = (await open()).transaction('notes').objectStore('notes').get('only')
    return new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))
  }
`

const workerSource = `
  const tryEval = () => { try { return new Function('return "allowed"')() } catch (error) { return error.name } }
  onmessage = async ({ data: [a, b] }) => {
    const response = await fetch('add.wasm')
    const contentType = response.headers.get('content-type')
    const { instance } = await WebAssembly.instantiateStreaming(response)
    postMessage({ sum: instance.exports.add(a, b), contentType, evalOutcome: tryEval() })
  }
`

/** (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add)) */
const addModule = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 7, 1, 3, 0x61, 0x64, 0x64, 0,
  0, 10, 9, 1, 7, 0, 0x20, 0, 0x20, 1, 0x6a, 0x0b,
])

function pngSize(bytes: Buffer): { width: number; height: number } {
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}

async function temporaryProfiles(kind: string): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`scrubjay-${kind}-`))
}
