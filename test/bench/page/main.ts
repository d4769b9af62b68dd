/** The bench's page: carries out Node's requests on `window.bench`, on one contender at a time. */
import type { Recall } from 'scrubjay'
import type { BenchApi } from './bench-api.ts'
import { asksOf, type Contender, changeAll, timeAll } from './contender.ts'
import { loadQuestions, loadRecords, type Questions, type Records } from './load-collection.ts'
import { openStore, ourContender, putAll } from './ours.ts'
import { buildPeer } from './peer-contender.ts'

let collection = ''
let questions: Questions
let recall: Recall | undefined
let contender: Contender | undefined

const bench: BenchApi = {
  async use(request) {
    collection = request.collection
    questions = await loadQuestions(collection)
    return { questions: questions.questions.length }
  },
  async fill({ batches, isSpread }) {
    const records = await loadRecords(collection)
    const store = await openStore(collection)
    const timings = await putAll(store, records, batches, isSpread)
    await store.close()
    return timings
  },
  async open() {
    const [first] = asksOf(questions, 'hybrid', null, 1)
    if (first === undefined) throw new Error(`${collection} has no question`)
    const startedMs = performance.now()
    recall = await openStore(collection)
    const openMs = performance.now() - startedMs
    contender = ourContender(recall, recordsOnce())
    await contender.ask(first)
    return { openMs, answerMs: performance.now() - startedMs }
  },
  status: () => (recall ?? missing()).status(),
  async build({ peer }) {
    const built = await buildPeer(peer, collection)
    contender = built.contender
    return { buildMs: built.buildMs }
  },
  time: ({ mode, tag, questions: count, budgetMs }) =>
    timeAll(contender ?? missing(), asksOf(questions, mode, tag, count), budgetMs),
  async change({ verb, records, batchSize, of }) {
    return changeAll(contender ?? missing(), verb, { of, records, batchSize })
  },
  setEf: ({ ef }) => (contender ?? missing()).setEf(ef),
  wasm: () => (contender ?? missing()).wasmBytes(),
  async rank({ mode, questions: count }) {
    const rankings: (readonly string[])[] = []
    for (const ask of asksOf(questions, mode, null, count)) {
      rankings.push((await (contender ?? missing()).ask(ask)).ids)
    }
    return rankings
  },
  async leave() {
    await contender?.leave()
    contender = undefined
    recall = undefined
    return null
  },
  disk: async () => folderBytes(await navigator.storage.getDirectory()),
  async memory() {
    const { measureUserAgentSpecificMemory: measure } = performance as {
      readonly measureUserAgentSpecificMemory?: () => Promise<{ readonly bytes: number }>
    }
    return measure ? (await measure.call(performance)).bytes : null
  },
}

Object.assign(globalThis, { bench })

function recordsOnce(): () => Promise<Records> {
  let records: Promise<Records> | undefined
  return () => {
    records ??= loadRecords(collection)
    return records
  }
}

/** The browser's own estimate lags behind by seconds. */
async function folderBytes(folder: FileSystemDirectoryHandle): Promise<number> {
  let bytes = 0
  for await (const entry of folder.values()) {
    if (entry instanceof FileSystemDirectoryHandle) bytes += await folderBytes(entry)
    else if (entry instanceof FileSystemFileHandle) bytes += (await entry.getFile()).size
  }
  return bytes
}

function missing(): never {
  throw new Error('nothing is open')
}
