/** Tests which results the torture runs accept after a kill, and which they must refuse. */
import { describe, expect, it } from 'vitest'
import { placeOf } from '../../torture/kills/judge.ts'
import {
  contentsAfter,
  digestOf,
  isLong,
  lineOf,
  type Step,
  slicesOf,
  stepAt,
  type Written,
} from '../../torture/kills/script.ts'

/** The first step for which this is true. */
function find(isWanted: (step: Step) => boolean): number {
  for (let step = 0; step < 200; step++) if (isWanted(stepAt(step))) return step
  throw new Error('the script has no such step')
}

function putAt(place: number): readonly Written[] {
  const step = stepAt(place)
  if ('put' in step) return step.put
  throw new Error(`step ${place} puts nothing`)
}

const inSlices = (step: Step) => slicesOf(step) > 1
const kinds: Readonly<Record<string, (step: Step) => boolean>> = {
  put: (step) => 'put' in step && inSlices(step),
  'put over records': (step) => {
    if (!('put' in step) || !inSlices(step)) return false
    const before = new Set(contentsAfter(step.put[0]?.step ?? 0).map((line) => line.split(' ')[0]))
    return step.put.some(({ id }) => before.has(id))
  },
  'forget by ids': (step) => 'forget' in step && step.by === 'ids' && inSlices(step),
  'forget by scope': (step) => 'forget' in step && step.by === 'scope' && inSlices(step),
}

describe('the verdict on a store that was killed', () => {
  it.each(Object.keys(kinds))(
    '[T1][T2] accepts complete slices of a %s, in order, and no acknowledged one may be missing',
    (kind) => {
      const steps = find(kinds[kind]!)
      const after = (slices: number) => digestOf(contentsAfter(steps, slices))
      expect(placeOf(after(0), { steps, slices: 0 })).toEqual({ steps, slices: 0 })
      expect(placeOf(after(1), { steps, slices: 0 })).toEqual({ steps, slices: 1 })
      expect(placeOf(after(slicesOf(stepAt(steps))), { steps, slices: 1 })).toEqual({ steps: steps + 1, slices: 0 })
      expect(placeOf(after(0), { steps, slices: 1 })).toBeNull()
      expect(placeOf(digestOf(contentsAfter(steps - 1)), { steps, slices: 0 })).toBeNull()
    },
  )

  it('[T1][T2] control: refuses half a slice, a slice without the one before it, and a part of an atomic write', () => {
    const steps = find(kinds['put']!)
    const before = contentsAfter(steps)
    const put = putAt(steps)
    const holding = (records: typeof put) =>
      digestOf([...before, ...records.map(({ id, step }) => lineOf(id, step))].toSorted())
    expect(placeOf(holding(put.slice(0, 500)), { steps, slices: 0 })).toEqual({ steps, slices: 1 })
    expect(placeOf(holding(put.slice(0, 499)), { steps, slices: 0 })).toBeNull()
    expect(placeOf(holding(put.slice(500)), { steps, slices: 0 })).toBeNull()

    const atomic = find((step) => 'put' in step && step.isAtomic && step.put.length > 500)
    const part = [
      ...contentsAfter(atomic),
      ...putAt(atomic)
        .slice(0, 500)
        .map(({ id, step }) => lineOf(id, step)),
    ]
    expect(placeOf(digestOf(part.toSorted()), { steps: atomic, slices: 0 })).toBeNull()
    expect(placeOf(digestOf(contentsAfter(atomic + 1)), { steps: atomic, slices: 0 })).toEqual({
      steps: atomic + 1,
      slices: 0,
    })
  })

  it('the script has long steps of every kind, and ends as small as it began', () => {
    for (const isWanted of Object.values(kinds)) expect(isLong(stepAt(find(isWanted)))).toBe(true)
    expect(contentsAfter(1_000 * 8).length).toBeLessThan(400)
    expect(contentsAfter(1_000 * 8)).toHaveLength(contentsAfter(1_001 * 8).length)
  })
})
