/**
 * The script that a victim runs, step by step, as a pure function: the content is known after any number of steps, and
 * of slices of the next one. It overwrites and forgets as much as it puts, so the store keeps its initial size however
 * long it runs.
 */
import { tuning } from '../../../src/core/model/tuning.ts'

/** Records in one short put. */
const batchSize = 5
/** Steps in a cycle. */
const cycleSteps = 8
/** Cycles whose short puts are kept. */
const livingCycles = 20
/**
 * Records of the long put of each cycle in turn: every other one is atomic, the rest cross one or two slice borders. They are just long
 * enough for that, because a kill waits for a long step.
 */
const longSizes = [510, 200, 520, 250, 1_010, 200, 510, 600] as const
/**
 * Records of a long put that successive cycles overwrite, in slices or in one transaction. 0: none, since that costs
 * most.
 */
const rewrittenSizes = [0, 150, 0, 0, 510, 0, 0, 0] as const

/** The tag of the records of long puts. */
export const longTag = 'long'

export interface Written {
  readonly id: string
  /** The step that wrote it last. */
  readonly step: number
}

export type Step =
  | { readonly put: readonly Written[]; readonly isAtomic: boolean }
  /** By scope: all records of `longTag`. */
  | { readonly forget: readonly string[]; readonly by: 'ids' | 'scope' }

export function stepAt(step: number): Step {
  const cycle = Math.floor(step / cycleSteps)
  const from = cycle * cycleSteps
  const isOdd = cycle % 2 === 1
  const long = longIdsOf(cycle)
  const rewritten = rewrittenSizes[cycle % rewrittenSizes.length] ?? 0
  switch (step - from) {
    case 2:
      return put(idsOf(from + 1), step, false)
    case 3:
      return put(long, step, isOdd)
    case 5:
      return { forget: [...idsOf(step - 1).slice(0, 1), ...idsOfCycle(cycle - livingCycles)], by: 'ids' }
    case 6:
      if (rewritten > 0) return put(long.slice(0, rewritten), step, rewritten <= tuning.recordsPerCommit)
      return put(idsOf(from + 4).slice(1), step, false)
    case 7:
      return { forget: long, by: cycle % 4 < 2 ? 'ids' : 'scope' }
    default:
      return put(idsOf(step), step, false)
  }
}

/** Whether a step takes long: a kill may come between its slices, or between the steps of its transaction. */
export function isLong(step: Step): boolean {
  return idsIn(step).length > 100
}

/** The number of transactions of a step: each is applied completely, and after the one before it. */
export function slicesOf(step: Step): number {
  if ('put' in step && step.isAtomic) return 1
  return Math.ceil(idsIn(step).length / tuning.recordsPerCommit)
}

/** The content after so many steps and so many slices of the next one: `id step`, sorted. */
export function contentsAfter(steps: number, slices = 0): readonly string[] {
  const contents = new Map<string, number>()
  const first = Math.max(0, Math.floor(steps / cycleSteps) - livingCycles - 1) * cycleSteps
  for (let i = first; i < steps; i++) carryOut(contents, i, idsIn(stepAt(i)).length)
  if (slices > 0) {
    const next = stepAt(steps)
    carryOut(contents, steps, slices >= slicesOf(next) ? idsIn(next).length : slices * tuning.recordsPerCommit)
  }
  return [...contents].map(([id, step]) => lineOf(id, step)).toSorted()
}

function carryOut(contents: Map<string, number>, step: number, records: number): void {
  const work = stepAt(step)
  for (const id of idsIn(work).slice(0, records)) {
    if ('forget' in work) contents.delete(id)
    else contents.set(id, step)
  }
}

export function lineOf(id: string, step: number): string {
  return `${id} ${step}`
}

export function isLongId(id: string): boolean {
  return id.includes(longTag)
}

/** In the order in which they are applied: a scope is processed by id. */
function idsIn(step: Step): readonly string[] {
  if ('put' in step) return step.put.map(({ id }) => id)
  return step.by === 'scope' ? step.forget.toSorted() : step.forget
}

function put(ids: readonly string[], step: number, isAtomic: boolean): Step {
  return { put: ids.map((id) => ({ id, step })), isAtomic }
}

function longIdsOf(cycle: number): readonly string[] {
  const length = longSizes[cycle % longSizes.length] ?? 0
  return Array.from({ length }, (_, i) => `r${cycle}-${longTag}-${i}`)
}

/** The records of a cycle's short puts that remain to be forgotten. */
function idsOfCycle(cycle: number): readonly string[] {
  return cycle < 0 ? [] : [0, 1, 4].flatMap((place) => idsOf(cycle * cycleSteps + place))
}

function idsOf(step: number): readonly string[] {
  return Array.from({ length: batchSize }, (_, i) => `r${step}-${i}`)
}

/** The position of a run, in a few characters. */
export function digestOf(lines: readonly string[]): string {
  let hash = 0x811c9dc5
  for (const character of lines.join('\n')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return `${lines.length}:${(hash >>> 0).toString(16)}`
}
