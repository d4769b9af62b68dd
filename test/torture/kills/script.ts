/**
 * The script that a victim runs, step by step, as a pure function: what is stored after any number of steps is known.
 * It writes over and forgets as much as it puts, so the store stays as large as it began however long it runs.
 */

/** Records in one put. */
const batchSize = 5
/** Steps in a cycle: four puts, one that writes over the second, one that forgets. */
const cycleSteps = 6
/** Cycles whose records live. */
const livingCycles = 20

export interface Written {
  readonly id: string
  /** The step that wrote it last. */
  readonly step: number
}

export type Step = { readonly put: readonly Written[] } | { readonly forget: readonly string[] }

export function stepAt(step: number): Step {
  const cycle = Math.floor(step / cycleSteps)
  const place = step % cycleSteps
  if (place === 5) return { forget: [idOf(step - 2, 0), ...idsOfCycle(cycle - livingCycles)] }
  const from = place === 2 ? step - 1 : step
  return { put: Array.from({ length: batchSize }, (_, i) => ({ id: idOf(from, i), step })) }
}

/** What stands after so many steps: `id step`, sorted. */
export function contentsAfter(steps: number): readonly string[] {
  const contents = new Map<string, number>()
  const first = Math.max(0, Math.floor(steps / cycleSteps) - livingCycles - 1) * cycleSteps
  for (let i = first; i < steps; i++) {
    const step = stepAt(i)
    if ('forget' in step) for (const id of step.forget) contents.delete(id)
    else for (const { id } of step.put) contents.set(id, i)
  }
  return [...contents].map(([id, step]) => lineOf(id, step)).toSorted()
}

export function lineOf(id: string, step: number): string {
  return `${id} ${step}`
}

/** What a cycle put; its third step wrote over its second, its last one forgets. */
function idsOfCycle(cycle: number): readonly string[] {
  if (cycle < 0) return []
  return [0, 1, 3, 4].flatMap((place) =>
    Array.from({ length: batchSize }, (_, i) => idOf(cycle * cycleSteps + place, i)),
  )
}

function idOf(step: number, i: number): string {
  return `r${step}-${i}`
}

/** Where a run stands, in a few characters. */
export function digestOf(lines: readonly string[]): string {
  let hash = 0x811c9dc5
  for (const character of lines.join('\n')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return `${lines.length}:${(hash >>> 0).toString(16)}`
}
