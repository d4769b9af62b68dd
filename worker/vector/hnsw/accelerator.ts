/**
 * Manages the graph. It reads a saved graph back if it fits the store; otherwise it builds one in slices and lets other calls
 * run between them. It adds later records, rebuilds the graph when it needs rebuilding, and saves it when it is complete.
 * Any failure drops the graph and is reported. Answers are exact then.
 */

import type { Accelerator, AcceleratorHost } from './accelerator-port.ts'
import { createGraph, restoreGraph } from './graph.ts'
import { type GraphOrigin, openGraphEnvelope, writeGraphEnvelope } from './graph-envelope.ts'
import { createGraphIndex, deadPoint, unit } from './graph-index.ts'
import { hnswlibReason, openHnswlib } from './hnswlib.ts'

export function openAccelerator(host: AcceleratorHost): Accelerator {
  const { exact } = host
  let isRunning = false
  let isStopped = false
  let isRead = false
  let failure: string | null = null
  /** Revision of the store when the present graph was last saved or read; −1: never. */
  let savedAt = -1
  /** Counts calls of `rebuild`. A graph that began to load in an earlier generation is discarded. */
  let generation = 0

  const index = createGraphIndex({ exact, vectorsOf: host.vectorsOf, schedule, fail })
  schedule()

  return {
    index,
    state: () => (failure !== null ? 'failed' : index.isReady() ? 'ready' : 'building'),
    failure: () => failure,
    rebuild() {
      generation++
      index.drop()
      failure = null
      schedule()
    },
    stop(how) {
      if (how === 'saving' && failure === null && host.revision() !== savedAt) {
        if (index.isReady() && index.waiting() <= mostLate) index.grow(Number.MAX_SAFE_INTEGER)
        save()
      }
      isStopped = true
      index.drop()
    },
  }

  function fail(error: unknown): void {
    failure = hnswlibReason(error)
  }

  function schedule(): void {
    if (isRunning || isStopped || failure !== null) return
    isRunning = true
    void run().finally(() => {
      isRunning = false
      // Records may have been added at the last moment. A failure is not retried.
      if (!isIdle()) schedule()
    })
  }

  function isIdle(): boolean {
    return isStopped || failure !== null || (index.hasGraph() && index.waiting() === 0 && !index.needsRebuild())
  }

  async function run(): Promise<void> {
    try {
      // The caller of schedule() must not wait for this work.
      await pause()
      while (!isIdle()) {
        if (index.needsRebuild()) index.drop()
        if (!index.hasGraph()) await begin()
        else await growOn()
      }
      if (!isStopped && failure === null && savedAt < 0) await host.inTurn(() => void save())
    } catch (error) {
      index.drop()
      fail(error)
    }
  }

  async function begin(): Promise<void> {
    const started = generation
    const saved = isRead ? null : host.readGraph()
    isRead = true
    savedAt = -1
    if (saved !== null && (await readBack(saved))) return
    const library = await openHnswlib()
    if (isStopped || started !== generation) return
    const capacity = Math.ceil(exact.rows() * spareRoom) + leastRoom
    index.begin(createGraph(library, exact.dimensions, capacity), new Uint32Array(), host.keysById())
  }

  async function growOn(): Promise<void> {
    const wasReady = index.isReady()
    const total = index.waiting()
    for (let slice = 0; !isIdle() && !index.needsRebuild() && index.hasGraph(); slice++) {
      index.grow(slicePoints)
      const left = index.waiting()
      if (!wasReady && (slice % slicesPerReport === 0 || left === 0)) reportProgress(total, left)
      await pause()
    }
  }

  /** More records may arrive during the build, so `left` can exceed the first total. */
  function reportProgress(total: number, left: number): void {
    const most = Math.max(total, left)
    host.tell(most - left, most)
  }

  /** Restores a saved graph. Returns false when it does not match the present state of the store. */
  async function readBack(envelope: Uint8Array): Promise<boolean> {
    const [started, origin] = [generation, originNow()]
    const opened = openGraphEnvelope(envelope, origin)
    if (opened === null) return false
    const { keys, dead, graph: saved } = opened
    const capacity = Math.ceil(keys.length * spareRoom) + leastRoom
    const room = restoreGraph({ saved, dimensions: exact.dimensions, capacity, dead })
    if (room.count !== keys.length) return false
    for (let label = 0; label < keys.length; ) {
      for (const end = label + sliceReads; label < end && label < keys.length; ) label = putRecord(room, keys, label)
      await pause()
      if (isStopped || started !== generation) return true
    }
    const library = await openHnswlib()
    if (isStopped || started !== generation) return true
    index.begin(room.open(library), keys, host.keysById())
    savedAt = origin.revision
    return true
  }

  /** Puts the vectors of one record at its labels. A removed record has none; its points stay zero. Returns the next label. */
  function putRecord(room: ReturnType<typeof restoreGraph>, keys: Uint32Array, first: number): number {
    const key = keys[first]!
    if (key === deadPoint) return first + 1
    let label = first
    host.vectorsOf(key, (vector) => {
      if (keys[label] === key) room.put(label++, unit(vector))
    })
    let next = first
    while (keys[next] === key) next++
    return next
  }

  /** Saves a complete graph. A graph that is not saved is rebuilt at the next open. */
  function save(): void {
    const snapshot = index.snapshot()
    if (snapshot === null || !host.isKept || snapshot.graph.savingBytes() > mostSavingBytes) return
    const { graph, keys } = snapshot
    try {
      host.writeGraph(writeGraphEnvelope(originNow(), { keys, dead: graph.dead(), graph: graph.save() }))
      savedAt = host.revision()
    } catch (error) {
      index.drop()
      fail(error)
    }
  }

  function originNow(): GraphOrigin {
    return { space: host.space, dimensions: exact.dimensions, revision: host.revision() }
  }
}

/** Lets all waiting calls run first. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Points added per slice: about 10 ms, the longest time that a query waits for. */
const slicePoints = 16

/** Vectors read back per slice: about 10 ms, too. */
const sliceReads = 1_024

const slicesPerReport = 16

/** Up to this many waiting records are added before the graph is saved on close: about 250 ms. */
const mostLate = 256

/** hnswlib has a fixed capacity: 25 % more than the vectors, plus a minimum for small stores. */
const spareRoom = 1.25
const leastRoom = 1_024

/** Above this a graph is not saved: saving copies every point, which could exhaust the tab's memory. */
const mostSavingBytes = 2 ** 30
