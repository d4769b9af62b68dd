/**
 * Loads the languages of a store, each from a file of its own. In Node these are neighbouring modules. In the built files,
 * `worker-plugins.ts` replaces each import by a URL that a consumer's bundler finds (see `vector/hnsw/load-hnsw.ts`).
 */
import { recallError } from '../../src/core/model/errors.ts'
import type { Language, LanguageFile } from './files/language.ts'

const files: Readonly<Record<string, () => Promise<LanguageFile>>> = {
  da: () => import('./files/da.ts'),
  de: () => import('./files/de.ts'),
  el: () => import('./files/el.ts'),
  es: () => import('./files/es.ts'),
  fi: () => import('./files/fi.ts'),
  fr: () => import('./files/fr.ts'),
  hu: () => import('./files/hu.ts'),
  it: () => import('./files/it.ts'),
  ja: () => import('./files/ja.ts'),
  nl: () => import('./files/nl.ts'),
  no: () => import('./files/no.ts'),
  pt: () => import('./files/pt.ts'),
  ro: () => import('./files/ro.ts'),
  ru: () => import('./files/ru.ts'),
  sv: () => import('./files/sv.ts'),
  tr: () => import('./files/tr.ts'),
  zh: () => import('./files/zh.ts'),
}

/** Bokmål and Nynorsk use the file of Norwegian. */
const fileOf = (tag: string) => (tag === 'nb' || tag === 'nn' ? 'no' : tag)

const loaded = new Map<string, Language>()

/** Loads the files of these languages, where they have one. Rejects with INVALID_CONFIG if one cannot be loaded. */
export async function loadLanguages(tags: readonly string[]): Promise<void> {
  await Promise.all(
    tags.map(async (tag) => {
      const load = files[fileOf(tag)]
      if (loaded.has(tag) || load === undefined) return
      try {
        loaded.set(tag, { ...(await load()).language, tag })
      } catch (error) {
        throw recallError('INVALID_CONFIG', `must name files that can be loaded: ${String(error)}`, {
          field: 'languages',
          value: tag,
          hint: `Serve dist/worker/language-${fileOf(tag)}.js of the package next to the engine’s worker.`,
        })
      }
    }),
  )
}

/** The languages that have a file. Throws if one has not been loaded. */
export function languagesOf(tags: readonly string[]): readonly Language[] {
  return tags.flatMap((tag) => {
    if (files[fileOf(tag)] === undefined) return []
    const language = loaded.get(tag)
    if (language === undefined) throw new RangeError(`The language ${tag} has not been loaded.`)
    return [language]
  })
}
