/**
 * Chooses mutants by seed: the same seed chooses the same mutants of an unchanged source. Each area of the sources has its share, a
 * file and the constants of an area have a limit, since tables would fill the list otherwise.
 */
import { createHash } from 'node:crypto'
import { applyMutant, isValid, type Mutant } from './candidates.ts'

export interface ChosenMutant extends Mutant {
  /** Of seed, place and change. */
  readonly id: string
}

const shares: readonly (readonly [area: string, share: number])[] = [
  ['src/core/', 0.45],
  ['worker/', 0.4],
  ['src/client/', 0.15],
]
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
  return shares
    .flatMap(([area, share]) =>
      chooseOfArea(
        shuffled.filter(({ file }) => file.startsWith(area)),
        Math.round(count * share),
        read,
      ),
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function chooseOfArea(
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
    if (before === mostOfFile || (isConstant && constants >= count * mostConstants)) continue
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
