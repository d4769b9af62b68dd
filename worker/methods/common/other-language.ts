/** Says which texts an embedder of English is not for: those in another script, and those that show another language of the store. */
import { isOtherScript } from '../../../src/core/text/tokenise/guess-english.ts'
import type { Store } from '../../store/port/store.ts'

export function isOfOtherLanguage({ forms }: Pick<Store, 'forms'>, text: string): boolean {
  if (isOtherScript(text)) return true
  const languages = forms.languagesOf(text)
  return languages.length > 0 && !languages.includes('en')
}
