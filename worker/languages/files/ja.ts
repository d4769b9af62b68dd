/** Japanese: pairs of letters of question words and endings; no word forms. */
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'ja',
  script: 'unspaced',
  stem: (word) => word,
  questionWords:
    'どこ こで こに この いつ つの 何を 何が 何の 何で 何は なに なぜ どう うし して どの どれ れは 誰が 誰の 誰は だれ です すか ます ました した でし まし たか るか',
  commonWords: 'この その あの これ それ あれ ここ そこ から まで より ため もの こと よう など また',
}
