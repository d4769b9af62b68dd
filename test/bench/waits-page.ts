/**
 * The code in the page of `measure-waits.ts`: a store, the long operations, and one recall after another during each.
 */

export interface Waits {
  readonly name: string
  readonly tookMs: number
  /** Of each recall, from the call to the answer. */
  readonly waitsMs: readonly number[]
  /** Why the operation or a recall failed; null: none did. */
  readonly failure: string | null
}

export const waitNames = [
  'nothing',
  'put',
  'update',
  'putAtomic',
  'put500',
  'merge',
  'mergeAgain',
  'replace',
  'forget',
  'forgetScope',
  'reembed',
  'integrityCheck',
  'compact',
] as const

/** The body of the page's module. `n` records are put, updated, imported, forgotten; a seed determines the text. */
export const waitsScript = `
let seed = 9
const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff
const words = (count) => Array.from({ length: count }, () => 'w' + Math.floor(random() ** 2 * 5000).toString(36)).join(' ')
const dimensions = 128
const vector = () => {
  const made = Float32Array.from({ length: dimensions }, () => random() - 0.5)
  const norm = Math.hypot(...made)
  return made.map((element) => element / norm)
}
const record = (id, part) => ({ id, body: words(30), tags: [part], session: part, vectors: vector() })
const many = (prefix, count, part) => Array.from({ length: count }, (_, i) => record(prefix + i, part))
const embedder = { space: 'bench', dimensions, embed: async (texts) => texts.map(vector) }
let store
let total = 0
let storage

async function open(name, options) {
  return scrubjay.openRecall({ name, storage, embedder, ...options })
}

window.fill = async (records, kind) => {
  storage = kind
  total = records
  store = await open('waits')
  for (let from = 0; from < records; from += 500)
    await store.put(Array.from({ length: Math.min(500, records - from) }, (_, i) => record('base' + (from + i), 'base')))
}

async function exported(count, prefix) {
  const other = await scrubjay.openRecall({ name: 'other', storage: 'memory', embedder })
  for (let from = 0; from < count; from += 500) await other.put(Array.from({ length: 500 }, (_, i) => record(prefix + (from + i), 'import')))
  const parts = []
  for await (const part of other.exportTo()) parts.push(part)
  await other.close()
  return new Blob(parts)
}

/** Each: what it needs first, then the measured part. */
const operations = {
  nothing: () => () => new Promise((resolve) => setTimeout(resolve, 1000)),
  put: (n) => { const given = many('new', n, 'new'); return () => store.put(given) },
  update: (n) => { const given = many('base', n, 'base'); return () => store.put(given) },
  putAtomic: (n) => { const given = many('base', n / 2, 'base').concat(many('atomic', n / 2, 'atomic')); return () => store.put(given, { atomic: true }) },
  put500: () => { const given = many('base', 500, 'base'); return () => store.put(given) },
  merge: async (n) => { const file = await exported(n, 'base'); return () => store.importFrom(file, { mode: 'merge' }) },
  mergeAgain: async (n) => { const file = await exported(n, 'again'); await store.importFrom(file, { mode: 'merge' }); return () => store.importFrom(file, { mode: 'merge' }) },
  replace: async (n) => { const file = await exported(Math.max(n, total), 'base'); return () => store.importFrom(file, { mode: 'replace' }) },
  forget: async (n) => { await fillUp(); const ids = Array.from({ length: n }, (_, i) => 'base' + i); return () => store.forget(ids) },
  forgetScope: async (n) => { await store.put(many('gone', n, 'gone')); return () => store.forget({ tags: { any: ['gone'] } }) },
  reembed: async () => {
    await fillUp()
    await store.close()
    store = await open('waits', { embedder: { ...embedder, space: 'bench2' } })
    return () => store.reembed()
  },
  integrityCheck: () => () => store.integrityCheck(),
  compact: () => () => store.compact(),
}

/** Forgotten or replaced records are put again: each operation meets a store of the same size. */
async function fillUp() {
  const stored = new Set()
  let cursor = null
  do {
    const page = await store.list({ limit: 1000, ...(cursor === null ? {} : { cursor }) })
    for (const { id } of page.items) stored.add(id)
    cursor = page.nextCursor
  } while (cursor !== null)
  const missing = Array.from({ length: total }, (_, i) => 'base' + i).filter((id) => !stored.has(id)).map((id) => record(id, 'base'))
  for (let from = 0; from < missing.length; from += 500) await store.put(missing.slice(from, from + 500))
}

window.measure = async (name, n) => {
  const waitsMs = []
  let failure = null
  const work = await operations[name](n)
  await store.recall('w1 w2 w3 hello')
  let isDone = false
  const startMs = performance.now()
  const done = work().catch((error) => { failure = name + ': ' + error.message }).finally(() => { isDone = true })
  let tookMs
  void done.then(() => { tookMs = performance.now() - startMs })
  while (!isDone) {
    const askedMs = performance.now()
    const query = { text: words(3), vector: vector() }
    try {
      await store.recall(query)
    } catch (error) {
      failure ??= 'recall: ' + error.message
    }
    waitsMs.push(performance.now() - askedMs)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await done
  return { name, tookMs, waitsMs, failure }
}
`
