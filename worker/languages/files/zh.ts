/** Chinese: pairs of letters of question words and particles; no word forms. */
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'zh',
  script: 'unspaced',
  stem: (word) => word,
  questionWords:
    '什么 么时 时候 是什 么是 哪里 哪儿 在哪 哪个 哪些 哪一 是哪 哪年 为什 怎么 怎样 么样 多少 几个 如何 是谁 谁是 谁的 是否 多久 多长 多大 有什 有多 有哪 了什 做什 ' +
    '甚麼 什麼 麼時 時候 是什 麼是 哪裡 在哪 為什 怎麼 怎樣 麼樣 幾個 誰是 是誰 有多',
  commonWords:
    '以及 或者 并且 但是 因为 所以 如果 可以 这个 那个 这些 那些 一个 我们 你们 他们 它们 自己 的是 這個 那個 這些 我們 你們 他們 因為',
}
