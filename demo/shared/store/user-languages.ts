/** Chooses the languages of a person's texts from those of the browser. */

/** Languages whose word forms the engine knows. */
const withForms: readonly string[] = 'da de el en es fi fr hu it ja nl no pt ro ru sv tr zh'.split(' ')

/**
 * The option `languages` of a person's store: the given tags, such as `navigator.languages`, and English. Empty for English alone, so that
 * such a store keeps the languages that it has.
 */
export function languagesOf(tags: readonly string[]): { readonly languages?: readonly string[] } {
  const primary = tags.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '').map((tag) => norwegian[tag] ?? tag)
  const chosen = withForms.filter((language) => language !== 'en' && primary.includes(language))
  return chosen.length === 0 ? {} : { languages: [...chosen, 'en'] }
}

const norwegian: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' }
