/**
 * Compares the store with a model of a hundred lines: random puts, patches, deletions and reads, 200 runs of 50 steps.
 * The store must hold the same records as the model, in the same order, with a complete text index.
 */
import { describe, expect, it } from 'vitest'
import type { Metadata, RecordInput, StoredRecord } from '../../src/core/model/record.ts'
import { compareCodePoints } from '../../src/core/text/hash/code-point-order.ts'
import { createRandom, type Random } from '../support/data/random.ts'
import { sized } from '../support/data/sized.ts'
import { checkTextIndex } from '../support/stores/dump.ts'
import { startOfTime } from '../support/stores/open-engine.ts'
import { type OpenedOver, openOver } from '../support/stores/open-over.ts'

const runs = sized(80)
const steps = 50
const firstSeed = 100_000
/** Runs that share an engine: forgetting everything between them is a part of the test. */
const runsPerEngine = 20

interface ModelRecord {
  readonly input: RecordInput
  readonly createdAt: number
  readonly updatedAt: number
}
type Model = Map<string, ModelRecord>

describe.each(Array.from({ length: runs / runsPerEngine }, (_, i) => firstSeed + i * runsPerEngine))(
  'runs from seed %i',
  (first) => {
    it('[W1] [W3] the store equals the model', async () => {
      const opened = await openOver()
      for (let seed = first; seed < first + runsPerEngine; seed++) {
        const random = createRandom(seed)
        const model: Model = new Map()
        for (let step = 0; step < steps; step++)
          await takeStep(opened, model, random, clockAt(random, step), `seed ${seed}, step ${step}`)
        checkTextIndex(opened.database)
        await opened.call('forget', { ids: [...model.keys()] })
        expect(await opened.call('count', { scope: {} })).toBe(0)
      }
    })
  },
)

/** It moves forward, except for jumps. */
function clockAt(random: Random, step: number): number {
  return startOfTime + step + (random.below(8) === 0 ? random.below(40) - 20 : 0)
}

async function takeStep({ call }: OpenedOver, model: Model, random: Random, now: number, what: string): Promise<void> {
  const id = `r${random.below(8)}`
  const dice = random.below(10)
  if (dice < 4) {
    const batch = Array.from({ length: 1 + random.below(4) }, () => randomInput(random, `r${random.below(8)}`))
    const { records } = await call('put', { batch }, now)
    expect(
      records.map(({ outcome }) => outcome),
      what,
    ).toEqual(batch.map((input) => putInModel(model, input, now)))
  } else if (dice < 6 && model.has(id)) {
    const fields = randomFields(random)
    const { records } = await call('patch', { id, fields }, now)
    const merged = { ...model.get(id)!.input, ...fields }
    expect(records[0]?.outcome, what).toBe(putInModel(model, merged, now))
  } else if (dice < 7) {
    const { forgotten, missing } = await call('forget', { ids: [id] }, now)
    expect([forgotten, missing], what).toEqual(model.delete(id) ? [[id], []] : [[], [id]])
  } else if (dice < 8) {
    const [stored] = await call('get', { ids: [id] })
    expect(stored === undefined ? undefined : seen(stored), what).toEqual(expectedOf(model, id))
  } else {
    const { items } = await call('list', { filter: { limit: 1000 } })
    expect(items.map(seen), what).toEqual(listed(model).map((known) => expectedOf(model, known)))
    const { hits } = await call('recall', { query: { text: 'jay', limit: 100, collapse: 'none' } }, now)
    const holding = [...model]
      .filter(([, { input }]) => `${input.title} ${input.body}`.includes('jay'))
      .map(([known]) => known)
    expect(hits.map((hit) => hit.id).sort(), what).toEqual(holding.sort())
  }
}

/** A full replacement of the caller's fields. Given times are stored; otherwise createdAt is kept, and updatedAt never goes back. */
function putInModel(model: Model, input: RecordInput, now: number): 'inserted' | 'updated' | 'unchanged' {
  const id = input.id!
  const known = model.get(id)
  const createdAt = input.createdAt ?? known?.createdAt ?? input.updatedAt ?? now
  const isChanged =
    known !== undefined &&
    (createdAt !== known.createdAt || JSON.stringify(complete(known.input)) !== JSON.stringify(complete(input)))
  const updatedAt = input.updatedAt ?? Math.max(now, known?.updatedAt ?? now)
  // A patch reads the stored fields; the times it keeps are stored separately.
  const { createdAt: _created, updatedAt: _updated, ...fields } = input
  model.set(id, { input: fields, createdAt, updatedAt })
  if (known === undefined) return 'inserted'
  const isDated = input.updatedAt !== undefined && updatedAt !== known.updatedAt
  return isChanged || isDated ? 'updated' : 'unchanged'
}

function complete({ id, title = null, body, project = null, tags = [], files = [], metadata = {} }: RecordInput) {
  return { id, title, body, project, tags, files: files.map(({ path }) => path), metadata }
}

function expectedOf(model: Model, id: string): unknown {
  const known = model.get(id)
  return known === undefined
    ? undefined
    : { ...complete(known.input), createdAt: known.createdAt, updatedAt: known.updatedAt }
}

function seen({ id, title, body, project, tags, files, metadata, createdAt, updatedAt }: StoredRecord): unknown {
  return { id, title, body, project, tags, files: files.map(({ path }) => path), metadata, createdAt, updatedAt }
}

function listed(model: Model): string[] {
  return [...model]
    .sort(([a, one], [b, other]) => other.updatedAt - one.updatedAt || compareCodePoints(b, a))
    .map(([id]) => id)
}

function randomInput(random: Random, id: string): RecordInput {
  return { id, body: random.pick(['jay', 'acorn', '図書館 jay', 'a\0b jay', '\ufeffnest']), ...randomFields(random) }
}

function randomFields(random: Random): Partial<RecordInput> {
  const fields: Partial<RecordInput>[] = [
    { title: random.pick([null, 'jay', 'nest 鳥']) },
    { body: random.pick(['jay', 'winter', 'jay 図書館', 'e\u0301 jay']) },
    { project: random.pick([null, 'p', '']) },
    { tags: random.pick([[], ['a'], ['b', 'a'], ['鳥']]) },
    { files: random.pick([[], [{ path: 'src/a.ts' }], [{ path: 'b.py' }, { path: 'src/a.ts' }]]) },
    { metadata: random.pick<Metadata>([{}, { a: 1 }, { a: [null, { b: 'c' }] }]) },
    { updatedAt: startOfTime + random.below(2 * steps) },
    { createdAt: startOfTime + random.below(2 * steps) },
  ]
  return Object.assign({}, ...random.shuffled(fields).slice(0, 1 + random.below(4)))
}
