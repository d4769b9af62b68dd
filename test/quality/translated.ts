/** The languages of a measuring set: its part in one language, and questions in one language over documents in English. */
import { knownLanguages } from '../../src/core/model/languages.ts'
import type { Dataset } from './datasets.ts'

/** Sets whose documents are all in one language other than English. */
const wholeSets: Readonly<Record<string, string>> = { 'drcd-sent-zh': 'zh' }

/** Tags in the order of the documents. In a set of several languages the tag is the scope. Empty for sets in English. */
export function languagesIn({ name, documents }: Dataset): readonly string[] {
  const wanted = process.env['SCRUBJAY_LANGUAGES']?.split(' ')
  const tags = wholeSets[name] === undefined ? [...new Set(documents.map(({ scope }) => scope))] : [wholeSets[name]]
  return tags.filter((tag) => knownLanguages.includes(tag) && (wanted?.includes(tag) ?? true))
}

export function withLanguage(dataset: Dataset, tag: string): Dataset {
  if (wholeSets[dataset.name] !== undefined) return dataset
  const { documents, questions } = dataset
  const isOf = ({ scope }: { readonly scope: string }) => scope === tag
  return { ...dataset, documents: documents.filter(isOf), questions: questions.filter(isOf), minilm: null }
}

/**
 * Questions in the language, with the judgements of the same questions in English: `xde:56beb` has the answers of `xen:56beb`. Null for
 * English, and for sets that are not translated.
 */
export function translated(dataset: Dataset, tag: string): Dataset | null {
  const english = withLanguage(dataset, 'en')
  if (tag === 'en' || dataset.name in wholeSets || english.questions.length === 0) return null
  const own = withLanguage(dataset, tag).questions
  const judgements = new Map(
    own.map(({ id }) => [id, dataset.judgements.get(id.replace(/^x[a-z]+:/, 'xen:')) ?? new Map<string, number>()]),
  )
  return { ...english, questions: own.map((question) => ({ ...question, scope: 'en' })), judgements }
}
