/**
 * The page that tab tests open several times: an app over the built package, driven from outside. Its functions answer
 * plain values; an error is its code.
 */

export const tabsPageScript = `
  const stores = new Map()
  const codeOf = (error) => error.code ?? String(error)
  const events = []
  window.events = () => events
  window.shows = []
  addEventListener('pageshow', ({ persisted }) => window.shows.push(persisted))

  window.open_ = async (name, options = {}) => {
    const recall = await scrubjay.openRecall({ name, embedder: null, ...options })
    recall.subscribe((event) => events.push(event))
    stores.set(name, recall)
    return (await recall.status()).role
  }
  const store = (name) => stores.get(name)
  /** Calls a method; also says how long it took. */
  window.ask = async (name, method, ...args) => {
    const startedMs = performance.now()
    try {
      const value = await store(name)[method](...args)
      return { value: value === undefined ? null : value, tookMs: performance.now() - startedMs }
    } catch (error) {
      return { error: codeOf(error), message: String(error.message), tookMs: performance.now() - startedMs }
    }
  }
  /** Writes one record after another until stopped; remembers what was promised, and the slowest since it was last asked. */
  const writing = new Map()
  window.startWriting = (name, prefix) => {
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
        }
        log.slowestMs = Math.max(log.slowestMs, performance.now() - startedMs)
      }
    })()
  }
  window.written = (prefix) => {
    const log = writing.get(prefix)
    const { promised, failed, slowestMs } = log
    log.slowestMs = 0
    return { promised, failed, slowestMs }
  }
  window.stopWriting = async (prefix) => {
    const log = writing.get(prefix)
    log.isOn = false
    await log.done
    return window.written(prefix)
  }
  /** Answers of a live query, as they came. */
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
