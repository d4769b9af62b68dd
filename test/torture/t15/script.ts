/** The script that a victim runs, step by step, as a pure function: what is stored after any number of steps is known. */

/** Records in one put. */
const batchSize = 5

export type Step = { readonly put: readonly string[] } | { readonly forget: string }

/** Mostly puts; every sixth step forgets a record of three steps before, which rewrites every copy. */
export function stepAt(index: number): Step {
  if (index % 6 === 5) return { forget: `r${index - 3}-0` }
  return { put: Array.from({ length: batchSize }, (_, i) => `r${index}-${i}`) }
}

/** The ids after so many steps, sorted. */
export function idsAfter(steps: number): readonly string[] {
  const ids = new Set<string>()
  for (let i = 0; i < steps; i++) {
    const step = stepAt(i)
    if ('forget' in step) ids.delete(step.forget)
    else for (const id of step.put) ids.add(id)
  }
  return [...ids].toSorted()
}

/** Where a run stands: compared as text, since thousands of ids go over the wire at each opening. */
export function digestOf(ids: readonly string[]): string {
  let hash = 0x811c9dc5
  for (const character of ids.join(' ')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return `${ids.length}:${(hash >>> 0).toString(16)}`
}
