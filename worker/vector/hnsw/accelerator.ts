/**
 * The life of the graph: read back when what was saved fits the store, otherwise made in slices between which everything
 * else is answered, followed by records that come later, made anew when it is worn, saved when it is whole.
 * Whatever fails in it is said and costs the graph alone: answers are exact then.
 */

import type { Accelerator, AcceleratorHost } from './accelerator-port.ts'
import { createGraph, restoreGraph } from './graph.ts'
import { type GraphOrigin, openSealedGraph, sealGraph } from './graph-envelope.ts'
import { createGraphIndex, deadPoint, unit } from './graph-index.ts'
import { hnswlibReason, openHnswlib } from './hnswlib.ts'

export function openAccelerator(host: AcceleratorHost): Accelerator {
  const { exact } = host
  let isRunning = false
  let isStopped = false
  let isRead = false
  let failure: string | null = null
  /** Of the store, when the graph that stands was last saved or read. */
  let savedAt = -1
  /** Counts the graphs that were let go of on purpose: one that was on its way then is not wanted any more. */
  let wished = 0

  const index = createGraphIndex({ exact, vectorsOf: host.vectorsOf, wake, fail })
  wake()

  return {
    index,
    state: () => (failure !== null ? 'failed' : index.isReady() ? 'ready' : 'building'),
    failure: () => failure,
    rebuild() {
      wished++
      index.drop()
      failure = null
      wake()
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

  function wake(): void {
    if (isRunning || isStopped || failure !== null) return
    isRunning = true
    void run().finally(() => {
      isRunning = false
      // For what came in the last moment; a failure is not tried again.
      if (!isIdle()) wake()
    })
  }

  function isIdle(): boolean {
    return isStopped || failure !== null || (index.hasGraph() && index.waiting() === 0 && !index.isWorn())
  }

  async function run(): Promise<void> {
    try {
      // Never in the turn of who woke it.
      await pause()
      while (!isIdle()) {
        if (index.isWorn()) index.drop()
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
    const wish = wished
    const saved = isRead ? null : host.readGraph()
    isRead = true
    savedAt = -1
    if (saved !== null && (await readBack(saved))) return
    const library = await openHnswlib()
    if (isStopped || wish !== wished) return
    const capacity = Math.ceil(exact.rows() * spareRoom) + leastRoom
    index.begin(createGraph(library, exact.dimensions, capacity), new Uint32Array(), host.keysById())
  }

  async function growOn(): Promise<void> {
    const wasReady = index.isReady()
    const total = index.waiting()
    for (let slice = 0; !isIdle() && !index.isWorn() && index.hasGraph(); slice++) {
      index.grow(slicePoints)
      const left = index.waiting()
      if (!wasReady && (slice % slicesPerReport === 0 || left === 0)) tellProgress(total, left)
      await pause()
    }
  }

  /** Records may come meanwhile: `most` is what waits at any time. */
  function tellProgress(total: number, left: number): void {
    const most = Math.max(total, left)
    host.tell(most - left, most)
  }

  /** Whether what was saved is of this very store; then it stands. */
  async function readBack(sealed: Uint8Array): Promise<boolean> {
    const [wish, origin] = [wished, originNow()]
    const opened = openSealedGraph(sealed, origin)
    if (opened === null) return false
    const { keys, dead, graph: saved } = opened
    const capacity = Math.ceil(keys.length * spareRoom) + leastRoom
    const room = restoreGraph({ saved, dimensions: exact.dimensions, capacity, dead })
    if (room.count !== keys.length) return false
    for (let label = 0; label < keys.length; ) {
      for (const end = label + sliceReads; label < end && label < keys.length; ) label = putRecord(room, keys, label)
      await pause()
      if (isStopped || wish !== wished) return true
    }
    const library = await openHnswlib()
    if (isStopped || wish !== wished) return true
    index.begin(room.open(library), keys, host.keysById())
    savedAt = origin.revision
    return true
  }

  /** Puts the vectors of one record in their places; a record that went has none, and its points stay zeros. */
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

  /** What cannot be saved is made again when the store is opened. */
  function save(): void {
    const whole = index.whole()
    if (whole === null || !host.isKept || whole.graph.savingBytes() > mostSavingBytes) return
    const { graph, keys } = whole
    try {
      host.writeGraph(sealGraph(originNow(), { keys, dead: graph.dead(), graph: graph.save() }))
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

/** Lets every call that waits go first. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Points of a slice: some ten milliseconds, which is what a question may have to wait for. */
const slicePoints = 16

/** Vectors read back in a slice: as long. */
const sliceReads = 1_024

const slicesPerReport = 16

/** Records that are still added when the store is closed, so that what is saved fits it: a quarter of a second. */
const mostLate = 256

/** hnswlib has a fixed capacity: room for a quarter more, and for small stores to begin. */
const spareRoom = 1.25
const leastRoom = 1_024

/** Saving copies every point for a moment: beyond this a tab is in danger, and making the graph anew is not. */
const mostSavingBytes = 2 ** 30
