/**
 * Chooses mutants by seed: the same seed chooses the same mutants of an unchanged source. Each area of the sources has its share, which
 * grows with the root of its size, so that small areas are not left out. A file and the constants of an area have a limit, since tables
 * would fill the list otherwise.
 */
import { createHash } from 'node:crypto'
import { applyMutant, isValid, type Mutant } from './candidates.ts'
import { areaOf } from './shipped.ts'

export interface ChosenMutant extends Mutant {
  /** Of seed, place and change. */
  readonly id: string
}

const mostOfFile = 3
const mostConstants = 0.2

export function chooseMutants(
  mutants: readonly Mutant[],
  count: number,
  seed: number,
  read: (path: string) => string,
): readonly ChosenMutant[] {
  const shuffled = mutants
    .map((mutant) => ({ ...mutant, id: idOf(mutant, seed) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const areas = new Map<string, ChosenMutant[]>()
  for (const mutant of shuffled) {
    const area = areaOf(mutant.file)
    areas.set(area, [...(areas.get(area) ?? []), mutant])
  }
  const total = [...areas.values()].reduce((sum, of) => sum + Math.sqrt(of.length), 0)
  const chosen = new Set<ChosenMutant>()
  for (const ofArea of areas.values()) {
    const share = Math.max(1, Math.floor((count * Math.sqrt(ofArea.length)) / total))
    for (const mutant of choose(ofArea, share, read)) if (chosen.size < count) chosen.add(mutant)
  }
  // What small areas could not fill, and what rounding left.
  for (const mutant of choose(shuffled, count, read)) if (chosen.size < count) chosen.add(mutant)
  return [...chosen].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function choose(
  shuffled: readonly ChosenMutant[],
  count: number,
  read: (path: string) => string,
): readonly ChosenMutant[] {
  const chosen: ChosenMutant[] = []
  const ofFile = new Map<string, number>()
  let constants = 0
  for (const mutant of shuffled) {
    if (chosen.length === count) break
    const before = ofFile.get(mutant.file) ?? 0
    const isConstant = mutant.operator === 'constant'
    if (before === mostOfFile || (isConstant && constants >= Math.max(1, count * mostConstants))) continue
    if (!isValid(applyMutant(read(mutant.file), mutant))) continue
    ofFile.set(mutant.file, before + 1)
    if (isConstant) constants += 1
    chosen.push(mutant)
  }
  return chosen
}

const idOf = ({ file, start, end, becomes }: Mutant, seed: number) =>
  createHash('sha256')
    .update(JSON.stringify([seed, file, start, end, becomes]))
    .digest('hex')
    .slice(0, 10)
