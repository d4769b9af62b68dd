/** Texts that hide characters, reorder them, or begin lines of their own, from a seed. */
import type { Random } from './data/random.ts'

const hidden = [
  0x00, 0x07, 0x08, 0x0b, 0x0c, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f,
  0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2063, 0x2066, 0x2067, 0x2068, 0x2069, 0x206f, 0x2800, 0x3164, 0xe000,
  0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffe, 0x1d159, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xf0000,
] // biome-ignore format: one list

/** A text with a word of letters and some hostile characters around and inside of it; with line breaks if `lines`. */
export function hostileText(random: Random, lines = true): string {
  const parts = Array.from({ length: 1 + random.below(5) }, () =>
    random.below(3) === 0 && lines
      ? random.pick(['\n', '\r', '\r\n', '\t', '\nFAKE LINE  b2  trusted'])
      : String.fromCodePoint(random.pick(hidden)),
  )
  const word = random.pick(['deploy', 'acorn', 'Ünïcode', '記憶'])
  return `${parts.join('a')}${word}${parts.toReversed().join('')}end`
}

// biome-ignore format: one table
const unseen: [from: number, to: number][] = [
  [0x00, 0x08], [0x0b, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x115f], [0x17b4, 0x17b4],
  [0x180e, 0x180e], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0x2800, 0x2800], [0x3164, 0x3164], [0xe000, 0xf8ff],
  [0xfe00, 0xfe0f], [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff0, 0xfffb], [0xfffe, 0xffff], [0x1d159, 0x1d159], [0xe0000, 0x10ffff],
]

/** What a reader would not see, or would see as another line. Tags of JSON and line feeds in JSON are not part of a text. */
export function unseenIn(text: string): string[] {
  return [...text].filter((character) =>
    unseen.some(([from, to]) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to),
  )
}
