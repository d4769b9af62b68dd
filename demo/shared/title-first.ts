/** Puts the hit whose title is the question first: who types a title looks for that record. */
import type { Hit } from 'scrubjay'

/** The order of the others stays. `otherNames`: of a hit's record, which come after titles. */
export function titleFirst(
  hits: readonly Hit[],
  question: string,
  otherNames: (hit: Hit) => readonly string[] = () => [],
): readonly Hit[] {
  const asked = titleKey(question)
  const named =
    hits.find((hit) => isNamed(hit, question)) ??
    hits.find((hit) => otherNames(hit).some((name) => asked !== '' && titleKey(name) === asked))
  return named === undefined ? hits : [named, ...hits.filter((hit) => hit !== named)]
}

/** Titles are compared without case and repeated spaces. */
export function isNamed({ record }: Pick<Hit, 'record'>, question: string): boolean {
  return record.title !== null && titleKey(question) !== '' && titleKey(record.title) === titleKey(question)
}

export function titleKey(title: string): string {
  return title.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}
