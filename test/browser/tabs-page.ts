/**
 * The page that tab tests open several times: an app over the built package, driven from outside. Its functions return
 * plain values; for an error, its code.
 */

import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '../support/browsers/browsers.ts'

export interface Asked<T> {
  readonly value?: T
  readonly error?: string
  readonly tookMs: number
}

export interface Written {
  /** Ids with their outcomes, in order. */
  readonly promised: readonly (readonly [id: string, outcome: string])[]
  readonly failed: readonly (readonly [id: string, code: string])[]
  readonly slowestMs: number
}

export interface Tab {
  readonly page: Page
  readonly name: string
  /** The role it had when it opened. */
  readonly role: string
  ask<T>(method: string, ...args: readonly unknown[]): Promise<Asked<T>>
}

/** A new page with the store open. */
export async function openTab(browser: Browser, url: string, name: string, options: object = {}): Promise<Tab> {
  const page = await browser.page(url)
  const role = await page.evaluate<string>('(...args) => window.open_(...args)', name, options)
  return {
    page,
    name,
    role,
    ask: (method, ...args) => page.evaluate('(...args) => window.ask(...args)', name, method, ...args),
  }
}

/**
 * The process that runs a page of Chromium: the one that is busy while the page is. Spare processes make lists
 * useless.
 */
export async function processOf(browser: Browser, page: Page): Promise<number> {
  type Processes = {
    readonly processInfo: readonly { readonly type: string; readonly id: number; readonly cpuTime: number }[]
  }
  const times = async () => {
    const { processInfo } = await browser.devtools<Processes>('SystemInfo.getProcessInfo')
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await times()
  await page.evaluate('const endMs = performance.now() + 800; while (performance.now() < endMs) {}')
  const spent = [...(await times())].map(([id, seconds]) => [id, seconds - (before.get(id) ?? 0)] as const)
  const [busiest] = spent.toSorted(([, a], [, b]) => b - a)
  return busiest?.[0] ?? Number.NaN
}

/** Puts the built worker into a served folder, after a script of the test that runs before it: `name/worker.js`. */
export async function serveWorkerAfter(folder: string, name: string, source: string): Promise<void> {
  const dist = fileURLToPath(new URL('../../dist/worker/', import.meta.url))
  await mkdir(join(folder, name))
  for (const file of ['index.js', 'sqlite3.wasm']) await copyFile(join(dist, file), join(folder, name, file))
  await writeFile(join(folder, name, 'before.js'), source)
  await writeFile(join(folder, name, 'worker.js'), `import './before.js'\nimport './index.js'\n`)
}

/** Roles of the tabs, once one of them leads. */
export async function waitForLeader(all: readonly Tab[], timeoutMs = 30_000): Promise<readonly string[]> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    const asked = await Promise.all(all.map((tab) => tab.ask<{ role: string }>('status')))
    const roles = asked.map(({ value, error }) => value?.role ?? error ?? '')
    if (roles.includes('leader')) return roles
    if (performance.now() > endMs) throw new Error(`No tab leads after ${timeoutMs} ms: ${roles.join(', ')}`)
  }
}

/** Waits until an expression is true in the page; errors of the page while it loads count as false. */
export async function waitFor(page: Page, condition: string, timeoutMs = 20_000): Promise<void> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    if (await page.evaluate<boolean>(condition).catch(() => false)) return
    if (performance.now() > endMs) throw new Error(`It did not come true within ${timeoutMs} ms: ${condition}`)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 10))').catch(() => undefined)
  }
}

export const tabsPageScript = `
  const stores = new Map()
  const codeOf = (error) => error.code ?? String(error)
  const events = []
  window.events = () => events
  window.shows = []
  addEventListener('pageshow', ({ persisted }) => window.shows.push(persisted))

  window.open_ = async (name, { worker, ...options } = {}) => {
    const assets = worker && { worker: new URL(worker, location.href) }
    const recall = await scrubjay.openRecall({ name, embedder: null, assets, ...options })
    recall.subscribe((event) => events.push(event))
    stores.set(name, recall)
    return (await recall.status()).role
  }
  const store = (name) => stores.get(name)
  /** Calls a method; also returns how long it took. */
  window.ask = async (name, method, ...args) => {
    const startedMs = performance.now()
    try {
      const value = await store(name)[method](...args)
      return { value: value === undefined ? null : value, tookMs: performance.now() - startedMs }
    } catch (error) {
      return { error: codeOf(error), message: String(error.message), tookMs: performance.now() - startedMs }
    }
  }
  /**
   * Writes one record after another until stopped; counts the acknowledged ones, and the slowest since the last call.
   */
  const writing = new Map()
  window.startWriting = (name, prefix, pauseMs = 0) => {
    const log = { isOn: true, promised: [], failed: [], slowestMs: 0 }
    writing.set(prefix, log)
    log.done = (async () => {
      for (let i = 0; log.isOn; i += 1) {
        const id = prefix + '-' + i
        const startedMs = performance.now()
        try {
          const { records } = await store(name).put({ id, body: 'text of ' + id })
          log.promised.push([id, records[0].outcome])
        } catch (error) {
          log.failed.push([id, codeOf(error)])
          if (codeOf(error) === 'CLOSED') log.isOn = false
        }
        log.slowestMs = Math.max(log.slowestMs, performance.now() - startedMs)
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    })()
  }
  window.written = (prefix) => {
    const log = writing.get(prefix)
    const { promised, failed, slowestMs } = log
    log.slowestMs = 0
    return { promised, failed, slowestMs }
  }
  window.countOf = (prefix) => writing.get(prefix).promised.length + writing.get(prefix).failed.length
  window.stopWriting = async (prefix) => {
    const log = writing.get(prefix)
    log.isOn = false
    await log.done
    return window.written(prefix)
  }
  /** Answers of a live query, in order of arrival. */
  const answers = []
  window.answers = () => answers
  window.watch = (name, query) => {
    store(name).subscribe({ query }, ({ hits }) => answers.push(hits.map(({ id, record }) => id + ' ' + record.tags.join())))
  }
  window.locks = async () => {
    const { held, pending } = await navigator.locks.query()
    return { held: held.length, pending: pending.length }
  }
  window.bytesOf = async (name, query) => {
    const { tookMs, ...result } = await store(name).recall(query)
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify({ ...result, ledger: result.ledger })))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
`
