/**
 * Writes minilm/src/tokenizer/characters-table.ts: what BERT's tokenizer does with each character, by Unicode 15.0. Unicode comes from the
 * npm package @unicode/unicode-15.0.0 (installed anywhere, its folder is the argument). Decompositions and lower case come from the
 * engine, whose answers for characters of Unicode 15.0 do not change. Run: node test/support/minilm/generate-characters.mjs <folder>
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const unicodeFolder = resolve(process.argv[2] ?? 'node_modules/@unicode/unicode-15.0.0')
const output = new URL('../../../minilm/src/tokenizer/characters-table.ts', import.meta.url)
const codePointCount = 0x110000

const dropped = await unicodeSet('General_Category', ['Control', 'Format', 'Private_Use'])
const marks = await unicodeSet('General_Category', ['Nonspacing_Mark'])
const punctuation = await unicodeSet('General_Category', ['Punctuation'])
const assigned = await unicodeSet('General_Category', [
  'Letter',
  'Mark',
  'Number',
  'Punctuation',
  'Symbol',
  'Separator',
])
const spaces = await unicodeSet('Binary_Property', ['White_Space'])
const han = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0x2f800, 0x2fa1f],
]

const runs = classRuns()
const { single, several } = folds()
writeFileSync(output, render())
console.log(
  `${runs.length} runs of classes, ${single.length} runs of folds, ${several.length} folds to several characters`,
)

/** D dropped, W white space, M non-spacing mark, P punctuation, H Han, L other. */
function classOf(codePoint) {
  if ([0x9, 0xa, 0xd].includes(codePoint)) return 'W'
  if (dropped[codePoint] || codePoint === 0xfffd || (codePoint >= 0xd800 && codePoint < 0xe000)) return 'D'
  if (spaces[codePoint]) return 'W'
  if (marks[codePoint]) return 'M'
  const isAsciiSign = codePoint > 0x20 && codePoint < 0x7f && !/[0-9a-z]/i.test(String.fromCodePoint(codePoint))
  if (isAsciiSign || punctuation[codePoint]) return 'P'
  return han.some(([from, to]) => codePoint >= from && codePoint <= to) ? 'H' : 'L'
}

function classRuns() {
  const found = []
  for (let codePoint = 0; codePoint < codePointCount; codePoint++) {
    const name = classOf(codePoint)
    const last = found.at(-1)
    if (last?.name === name) last.length++
    else found.push({ name, length: 1 })
  }
  return found
}

/** Lower case of the canonical decomposition, without marks. Hangul is decomposed by arithmetic. */
function folds() {
  const targets = new Map()
  const several = []
  for (let codePoint = 0; codePoint < codePointCount; codePoint++) {
    if (!assigned[codePoint] || 'DWM'.includes(classOf(codePoint))) continue
    if (codePoint >= 0xac00 && codePoint <= 0xd7a3) continue
    const character = String.fromCodePoint(codePoint)
    const lowered = withoutMarks(withoutMarks(character.normalize('NFD')).toLowerCase())
    if (lowered === character) continue
    const parts = [...lowered]
    if (parts.length === 1) targets.set(codePoint, lowered.codePointAt(0))
    else several.push([codePoint, parts.map((part) => part.codePointAt(0))])
  }
  return { single: runsOf(targets), several }
}

function withoutMarks(text) {
  return [...text].filter((character) => !marks[character.codePointAt(0)]).join('')
}

/** As in ../generate-letters.mjs: `length` characters, `step` apart, that all fold by adding `delta`. */
function runsOf(targets) {
  const sources = [...targets.keys()]
  const found = []
  for (let at = 0; at < sources.length; ) {
    const from = sources[at]
    const delta = targets.get(from) - from
    const lengthOf = (step) => {
      let length = 1
      while (
        sources[at + length] === from + length * step &&
        targets.get(from + length * step) - from - length * step === delta
      )
        length++
      return length
    }
    const [one, two] = [lengthOf(1), lengthOf(2)]
    const [length, step] = two > one ? [two, 2] : [one, 1]
    found.push([from, length, step, delta])
    at += length
  }
  return found
}

async function unicodeSet(property, values) {
  const set = new Uint8Array(codePointCount)
  for (const value of values) {
    const module = pathToFileURL(join(unicodeFolder, property, value, 'code-points.mjs'))
    for (const codePoint of (await import(module.href)).default) set[codePoint] = 1
  }
  return set
}

function render() {
  const classText = runs.map(({ name, length }) => length.toString(36) + name).join('')
  let previous = 0
  const foldText = single
    .map(([from, length, step, delta]) => {
      const text = [from - previous, length, step, delta].map((n) => n.toString(36)).join(',')
      previous = from
      return text.replace(/^(\w+),1,1,/, '$1,')
    })
    .join(' ')
  const severalText = several
    .map((row) =>
      row
        .flat()
        .map((n) => n.toString(36))
        .join(','),
    )
    .join(' ')
  return `/**
 * Generated by test/support/minilm/generate-characters.mjs from Unicode 15.0; do not edit.
 * \`classRuns\`: runs of one class from U+0000 on, a length in base 36 and the letter of the class (see characters.ts).
 * \`foldRuns\`: "gap from the last start, length, step, delta" in base 36; without length and step, both are 1.
 * \`severalFolds\`: the character, and those that it folds to.
 */

export const classRuns =
${quoteLines(classText)}

export const foldRuns =
${quoteLines(foldText)}

export const severalFolds =
${quoteLines(severalText)}
`
}

function quoteLines(text) {
  return text
    .match(/.{1,112}/g)
    .map((line) => `  '${line}'`)
    .join(' +\n')
}
