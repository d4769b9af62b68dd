/**
 * Builds the sidebar as it ships, with a page that writes into the same store, in a copy of its extension. Answers
 * between pages are delayed, so that a page often ends between commit and answer. As `control` the panel takes
 * requests out of the inbox before it stores them, and calls between pages lose their operation ids.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { publicEntries } from '../../../demo/build.mjs'
import { buildSidebar } from '../../../demo/sidebar/build.mjs'

export interface Extension {
  /** For loading unpacked. */
  readonly folder: string
  remove(): Promise<void>
}

export async function buildExtension(mode: 'shipped' | 'control'): Promise<Extension> {
  const root = await mkdtemp(join(tmpdir(), 'scrubjay-t14-'))
  const folder = join(root, 'extension')
  await buildSidebar(folder, mode === 'control' ? [forgetful()] : [])
  await buildWriter(join(root, 'writer'), join(folder, 'writer'))
  for (const part of [folder, join(folder, 'writer')]) await prependToWorkers(join(part, 'assets'), lateSource(mode))
  const path = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object
  // A gesture gives the right to read one page; a test has none.
  await writeFile(path, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'] }))
  return { folder, remove: () => rm(root, { recursive: true, force: true }) }
}

/** The control's panel: closing it now loses the captures it took. Each build uses a new one. */
const forgetful = (): Plugin => {
  let isChanged = false
  return {
    name: 'forgetful',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/store-captures.ts')) return null
      isChanged = code.includes(loopOverInbox) && code.includes(removal)
      return code.replace(removal, '').replace(
        loopOverInbox,
        `const taken = await readInbox()
        for (const { key } of taken) await removeFromInbox(key)
        await new Promise((resume) => setTimeout(resume, ${takenMs}))
        for (const { key, capture } of taken)`,
      )
    },
    buildEnd() {
      if (!isChanged) throw new Error('store-captures.ts must have the lines that the control changes')
    },
  }
}
const loopOverInbox = 'for (const { key, capture } of await readInbox())'
const removal = 'await removeFromInbox(key)'

/** ms for which the control's panel holds requests that are stored nowhere. */
const takenMs = 1_000

async function buildWriter(root: string, outDir: string): Promise<void> {
  await mkdir(root)
  await writeFile(join(root, 'index.html'), writerHtml)
  await writeFile(join(root, 'main.js'), writerScript)
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    resolve: { alias: publicEntries() },
    worker: { format: 'es' },
    build: { outDir, target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
}

async function prependToWorkers(folder: string, source: string): Promise<void> {
  let found = 0
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue
    const code = await readFile(join(folder, name), 'utf8')
    if (!/BroadcastChannel:\w+}=globalThis/.test(code)) continue
    await writeFile(join(folder, name), `${source}\n${code}`)
    found += 1
  }
  if (found !== 1) throw new Error(`${found} workers in ${folder} speak to other pages`)
}

/** ms by which an answer between pages is delayed. */
const lateMs = 60

const lateSource = (mode: 'shipped' | 'control') => `
const post = BroadcastChannel.prototype.postMessage
BroadcastChannel.prototype.postMessage = function (sealed) {
  const type = sealed.message?.type
  if (${mode === 'control'} && type === 'call') sealed = { ...sealed, message: { ...sealed.message, context: { now: Date.now() } } }
  if (type !== 'answer') return post.call(this, sealed)
  // A page that left has closed its channels by then.
  setTimeout(() => { try { post.call(this, sealed) } catch {} }, ${lateMs})
}
`

const writerHtml = `<!doctype html><html lang="en"><meta charset="utf-8"><title>writer</title><link rel="icon" href="data:,">
<script type="module" src="./main.js"></script></html>`

/**
 * The weight each call adds to a link: sums are exact, and a link takes this many calls before it has its maximum
 * weight.
 */
export const addedWeight = 2 ** -9
const callsPerLink = 500
const links = 40

/**
 * It notes each request once the inbox holds it, and writes into the store: records, and links that grow by a step per
 * call, so that a call that is lost or carried out twice shows in their weight.
 */
const writerScript = `
import { openRecall } from 'scrubjay'
let recall = await openRecall({ name: 'sidebar', metadataKeys: ['url'] })
const wishes = []
chrome.storage.local.onChanged.addListener((changes) => {
  for (const { newValue } of Object.values(changes)) if (newValue) wishes.push(newValue.text)
})
window.wishes = () => wishes
window.recall = () => recall
await recall.put(['anchor', ...Array.from({ length: ${links} }, (_, i) => 'end ' + i)].map((id) => ({ id, body: id })))

const log = { promised: [], strengthened: 0, failed: [] }
window.written = () => log
let isOn = false
let done = Promise.resolve()
async function write() {
  while (isOn) {
    const id = 'written-' + (log.promised.length + log.failed.length)
    try {
      const { records } = await recall.put({ id, body: 'text of ' + id })
      log.promised.push([id, records[0].outcome])
      await recall.strengthen('anchor', 'end ' + Math.floor(log.strengthened / ${callsPerLink}), ${addedWeight})
      log.strengthened += 1
    } catch (error) {
      log.failed.push([id, error.code ?? String(error)])
    }
  }
}
window.go = () => { isOn = true; done = write() }
window.pause = async () => { isOn = false; await done }
/** Closes the store and opens it again, after the other pages in the queue. */
window.leave = async () => {
  await window.pause()
  await recall.close()
  recall = await openRecall({ name: 'sidebar', metadataKeys: ['url'] })
  window.go()
}
window.isReady = true
`
