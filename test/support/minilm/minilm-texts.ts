/** Texts of all scripts and of none, from a seed: what vectors of scrubjay-minilm are compared with. Runs in pages, too. */
import { hostileText } from '../hostile-texts.ts'
import { createRandom, type Random } from '../data/random.ts'

/** First and last letters of scripts. */
const scripts: readonly (readonly [from: number, to: number])[] = [
  [0x61, 0x7a], [0x41, 0x5a], [0xc0, 0x17f], [0x370, 0x3ff], [0x400, 0x4ff], [0x531, 0x587], [0x590, 0x5ff], [0x600, 0x6ff],
  [0x700, 0x74f], [0x900, 0x97f], [0x980, 0x9ff], [0xa00, 0xa7f], [0xb80, 0xbff], [0xd00, 0xd7f], [0xe00, 0xe7f], [0xe80, 0xeff],
  [0xf00, 0xfff], [0x1000, 0x109f], [0x10a0, 0x10ff], [0x1100, 0x11ff], [0x1200, 0x137f], [0x13a0, 0x13ff], [0x1780, 0x17ff],
  [0x1e00, 0x1eff], [0x1f00, 0x1fff], [0x2000, 0x206f], [0x20a0, 0x20bf], [0x2100, 0x218f], [0x2200, 0x22ff], [0x2e80, 0x2fdf],
  [0x3040, 0x30ff], [0x3130, 0x318f], [0x4e00, 0x9fff], [0xa000, 0xa4cf], [0xa980, 0xa9df], [0xac00, 0xd7a3], [0xf900, 0xfaff],
  [0xfb00, 0xfdff], [0xfe20, 0xfe6f], [0xff00, 0xffef], [0x10330, 0x1034f], [0x10400, 0x1044f], [0x11100, 0x1114f], [0x1d165, 0x1d172],
  [0x1d400, 0x1d7ff], [0x1f300, 0x1faff], [0x20000, 0x2a6df], [0x2f800, 0x2fa1f], [0x31350, 0x323af], [0xe0000, 0xe007f],
] // biome-ignore format: one table

const words =
  'the a jay hides acorns in autumn and remembers where memory search engine offline browser question answer'.split(' ')

/** The first are edge cases; then texts of scripts, hostile texts, and sentences of every length up to what the model reads. */
export function minilmTexts(count: number, seed = 4): readonly string[] {
  const random = createRandom(seed)
  // biome-ignore format: one list
  const edges = [
    '', ' ', '\n\t\r', '.', '\0', '\ud800', '\udc00\ud800', 'a\ud83d', '\ufeff\u200b', '\u0301', 'x'.repeat(101), '[CLS] [SEP] ##ing',
    'ﬁ ² Ⅷ ＡＢＣ ﾊﾞｶ', 'İstanbul ΟΔΥΣΣΕΥΣ straße', 'e\u0301\u0323 e\u0323\u0301', '한국어 漢字かな', '👩‍👩‍👧‍👦 👍🏽 ❤️',
    sentence(random, 10_000),
    String.fromCodePoint(...Array.from({ length: 300 }, () => random.below(0x110000))),
  ]
  const made = Array.from({ length: Math.max(0, count - edges.length) }, (_, i) => {
    if (i % 3 === 0) return scriptText(random, scripts[(i / 3) % scripts.length]!)
    return i % 3 === 1 ? hostileText(random) : sentence(random, 1 + random.below(1 + (i % 260)))
  })
  return [...edges, ...made].slice(0, count)
}

function sentence(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(words)).join(' ')
}

function scriptText(random: Random, [from, to]: readonly [number, number]): string {
  const word = () =>
    String.fromCodePoint(...Array.from({ length: 1 + random.below(6) }, () => from + random.below(to - from + 1)))
  return Array.from({ length: 1 + random.below(12) }, word).join(random.pick([' ', ' ', ', ', '']))
}
