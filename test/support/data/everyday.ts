/** Ten notes and fourteen everyday questions in each language, of fixtures/everyday.tsv. The questions were written before any answer was looked at. */
import { readFileSync } from 'node:fs'

export interface Everyday {
  /** `id: text` */
  readonly notes: readonly string[]
  /** `id of the note that answers: question` */
  readonly questions: readonly string[]
}

const rows = readFileSync(new URL('../../fixtures/everyday.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))

export const everyday: Readonly<Record<string, Everyday>> = Object.fromEntries(
  [...new Set(rows.map(([tag]) => tag!))].map((tag) => {
    const of = (kind: string) =>
      rows.flatMap(([own, what, id, text]) => (own === tag && what === kind ? [`${id}: ${text}`] : []))
    return [tag, { notes: of('note'), questions: of('question') }]
  }),
)
