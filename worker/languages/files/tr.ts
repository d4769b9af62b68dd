/** Turkish: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/turkish'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'tr',
  script: 'latin',
  stem: stemmer,
  // Plurals with and without endings (ışıkları), k that softens (çocuğu), and possessives (arabası, yılında).
  bases: [
    [/^(..+?)l[ae]r(?:[iu]?(?:m|n|y|miz|niz)?(?:[iuae]|[iu]n|d[ae]n?|n?[iu]n|nd[ae]n?)?)$/, '$1'],
    [/(..)g[iu](?:n.*)?$/, '$1k'],
    [/(..[aeiou])s[iu](?:n.*)?$/, '$1'],
    [/(..[^aeiou])[iu](?:n(?:[iua]|d[ae]n?)?)?$/, '$1'],
  ],
  questionWords:
    'kim kimin kime kimi ne neyi neden niçin niye nasıl hangi hangisi nerede nereye nereden nere kaç kaçıncı ne zaman mi mı mu mü midir mıdır bir bu şu o ve veya ile için de da ki dir dır idi olan olarak olduğu oldu',
  commonWords:
    'değil ama fakat ancak çok daha en gibi kadar sonra önce göre her hiç bazı tüm bütün başka diğer var yok ise eğer çünkü hem ya ben sen biz siz onlar onu ona onun bunu buna bunun beni bana seni sana bizim sizin kendi şey',
}
