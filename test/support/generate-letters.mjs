/**
 * Writes src/core/text/tokenise/letters-table.ts: the class of each character here (Unicode 15.0) and in SQLite's
 * unicode61. Unicode comes from the npm package @unicode/unicode-15.0.0 (installed anywhere, its folder is the
 * argument); SQLite is queried, one row per character. Run: node test/support/generate-letters.mjs <folder>
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import init from '@sqlite.org/sqlite-wasm'

const unicodeFolder = resolve(process.argv[2] ?? 'node_modules/@unicode/unicode-15.0.0')
const output = new URL('../../src/core/text/tokenise/letters-table.ts', import.meta.url)
const codePointCount = 0x110000

const letters = await unicodeSet('General_Category', ['Letter', 'Number', 'Private_Use'])
const marks = await unicodeSet('General_Category', ['Mark'])
const digits = await unicodeSet('General_Category', ['Decimal_Number'])
const unspaced = await unicodeSet('Script', ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai'])
for (const shared of [0x30fc, 0xff70]) unspaced[shared] = 1 // the kana length marks belong to no single script
const sqliteTerms = await askSqlite()

const { classRuns, counts } = classify()
const folds = foldRuns()
writeFileSync(output, render(classRuns, folds))
console.log(JSON.stringify(counts), `${classRuns.length} runs, ${folds.length} fold runs`)

/** Runs of one class: S gap, X gap that unicode61 holds for a letter, L letter, C letter of a script written without
 *  spaces, M mark that unicode61 drops, Y mark (or one of 21 letters) that is a gap to unicode61, Z one that is a
 *  letter to it. */
function classify() {
  const classRuns = []
  const counts = {}
  for (let codePoint = 0; codePoint < codePointCount; codePoint++) {
    const name = classOf(codePoint)
    counts[name] = (counts[name] ?? 0) + 1
    const last = classRuns.at(-1)
    if (last?.name === name) last.length++
    else classRuns.push({ name, length: 1 })
  }
  return { classRuns, counts }
}

function classOf(codePoint) {
  if (codePoint >= 0xd800 && codePoint < 0xe000) return 'S'
  const sqlite = sqliteClass(codePoint)
  if (letters[codePoint]) {
    if (sqlite === 'dropped') throw new Error(`unicode61 drops the letter ${codePoint.toString(16)}`)
    if (sqlite === 'separator') return 'Y'
    return unspaced[codePoint] && !digits[codePoint] ? 'C' : 'L'
  }
  if (marks[codePoint]) return { dropped: 'M', separator: 'Y', token: 'Z' }[sqlite]
  if (sqlite === 'dropped') throw new Error(`unicode61 drops the separator ${codePoint.toString(16)}`)
  return sqlite === 'token' ? 'X' : 'S'
}

function sqliteClass(codePoint) {
  const terms = sqliteTerms[codePoint]
  if (terms.length !== 1) return 'separator'
  return terms[0] === 'ab' ? 'dropped' : 'token'
}

/** The folded characters as runs, each the longer of: `length` characters, `step` apart, that all fold by adding
 *  `delta`, or `length` neighbours that all fold to one `target`. */
function foldRuns() {
  const targets = foldTargets()
  const sources = [...targets.keys()]
  const runs = []
  for (let at = 0; at < sources.length; ) {
    const from = sources[at]
    const step = Math.min(sources[at + 1] - from || 1, 2)
    const shifted = runLength((n) => targets.get(from + n * step) - from - n * step === targets.get(from) - from)
    const gathered = runLength((n) => targets.get(from + n) === targets.get(from))
    // A run with a step must not skip a character that folds, too.
    const dense = step === 1 || shifted === 1 || sources[at + shifted - 1] === from + (shifted - 1) * step
    const run =
      gathered > shifted || !dense
        ? { from, length: gathered, target: targets.get(from) }
        : { from, length: shifted, step, delta: targets.get(from) - from }
    runs.push(run)
    at += run.length
  }
  return runs
}

function runLength(belongs) {
  let length = 1
  while (belongs(length)) length++
  return length
}

function foldTargets() {
  const targets = new Map()
  for (let codePoint = 0x80; codePoint < codePointCount; codePoint++) {
    if ('SXMYZ'.includes(classOf(codePoint))) continue
    const folded = Array.from(sqliteTerms[codePoint][0].slice(1, -1), (character) => character.codePointAt(0))
    if (folded.length !== 1) throw new Error(`${codePoint.toString(16)} folds to ${folded.length} characters`)
    if (folded[0] === codePoint) continue
    if (classOf(codePoint) === 'C') throw new Error(`${codePoint.toString(16)} is unspaced and folds`)
    targets.set(codePoint, folded[0])
  }
  return targets
}

async function unicodeSet(property, values) {
  const set = new Uint8Array(codePointCount)
  for (const value of values) {
    const module = pathToFileURL(join(unicodeFolder, property, value, 'code-points.mjs'))
    for (const codePoint of (await import(module.href)).default) set[codePoint] = 1
  }
  return set
}

/** The tokens unicode61 makes of `a`, the character, `b`. */
async function askSqlite() {
  const sqlite = await init()
  const database = new sqlite.oo1.DB(':memory:')
  database.exec(`CREATE VIRTUAL TABLE t USING fts5(x, content='', tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance'); BEGIN`)
  const insert = database.prepare('INSERT INTO t(rowid, x) VALUES (?, ?)')
  for (let codePoint = 0; codePoint < codePointCount; codePoint++) {
    if (codePoint >= 0xd800 && codePoint < 0xe000) continue
    insert.bind([codePoint, `a${String.fromCodePoint(codePoint)}b`]).stepReset()
  }
  insert.finalize()
  const terms = []
  database.exec({
    sql: 'COMMIT; SELECT doc, term, offset FROM v',
    callback: ([row, term, offset]) => {
      terms[row] ??= []
      terms[row][offset] = term
    },
  })
  database.close()
  return terms
}

function render(classRuns, folds) {
  const classText = classRuns.map((run) => run.length.toString(36) + run.name).join('')
  let previous = 0
  const foldText = folds
    .map((run) => {
      const how = run.target === undefined ? [run.step, run.delta] : [0, run.target]
      const text = [run.from - previous, run.length, ...how].map((n) => n.toString(36)).join(',')
      previous = run.from
      return text
    })
    .join(' ')
  return `/**
 * Generated by test/support/generate-letters.mjs from Unicode 15.0 and SQLite's unicode61; do not edit.
 * \`characterRuns\`: runs of one class from U+0000 on, a length in base 36 and the class letter (see letters.ts).
 * \`foldRuns\`: how unicode61 folds what is not ASCII: "gap from the last start, length, step, delta" in base 36;
 * with step 0 the last number is the character that all characters of the run fold to.
 */

export const characterRuns =
${quoteLines(classText)}

export const foldRuns =
${quoteLines(foldText)}
`
}

function quoteLines(text) {
  const lines = text.match(/.{1,112}/g).map((line) => `  '${line}'`)
  return lines.join(' +\n')
}
