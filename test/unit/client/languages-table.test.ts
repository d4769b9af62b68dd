/**
 * Compares the table of other languages with the output of the trained model's reference code, bit for bit, and checks that English texts
 * keep the vectors of the English table.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fold } from '../../../src/embedders/tables/fold-text.ts'
import { createLanguagesModel } from '../../../src/embedders/tables/languages-model.ts'
import { createStaticModel } from '../../../src/embedders/tables/static-model.ts'
import { embeddingTexts } from '../../support/data/embedding-texts.ts'
import { excessiveGrowth } from '../../support/growth.ts'

const root = join(import.meta.dirname, '../../..')
const bytesOf = (path: string) => new Uint8Array(readFileSync(join(root, path))).buffer
const table = bytesOf('languages/multi-static-128.bin')
const english = createStaticModel(bytesOf('src/embedders/minilm-static-128.bin'))
const model = createLanguagesModel(english, table)

interface Golden {
  readonly text: string
  readonly english: boolean
  readonly rows: readonly number[]
  /** Its first 16 digits. */
  readonly sha256: string
}

const golden = readFileSync(join(root, 'test/fixtures/multi-static-128/golden.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Golden)

describe('vectors', () => {
  test.each(golden)('[D1] of $text are those of the reference', ({ text, english: isEnglish, rows, sha256 }) => {
    expect(model.isEnglish(text)).toBe(isEnglish)
    if (!isEnglish) expect(model.rowsOf(text)).toEqual(rows)
    expect(hashOf(model.embed(text)).slice(0, 16)).toBe(sha256)
  })

  test('[V4] of English texts are those of the English table, bit for bit', () => {
    const texts = [...paragraphs(), ...embeddingTexts].filter(model.isEnglish)
    expect(texts.length).toBeGreaterThan(700)
    for (const text of texts) expect(hashOf(model.embed(text)), text).toBe(hashOf(english.embed(text)))
  })

  test('control: of other texts they differ', () => {
    const others = golden.filter((line) => !line.english && line.rows.length > 0)
    expect(others.length).toBeGreaterThan(20)
    for (const { text } of others) expect(hashOf(model.embed(text))).not.toBe(hashOf(english.embed(text)))
  })

  test('of equal meaning are near each other across languages', () => {
    const [question, ...answers] = [
      'How do I reset my password?',
      'Wie setze ich mein Passwort zurück?',
      '我忘记了密码',
    ]
    const far = model.embed('Рецепт яблочного пирога')
    for (const answer of answers) {
      const near = dot(model.embed(question!), model.embed(answer))
      expect(near).toBeGreaterThan(dot(model.embed(question!), far) + 0.2)
    }
  })
})

describe('the router', () => {
  test('calls nearly all paragraphs of these English pages English', () => {
    const all = paragraphs()
    expect(all.filter(model.isEnglish).length / all.length).toBeGreaterThan(0.97)
  })

  test('decides by the words, not by their case or the texts before', () => {
    for (const [text, isEnglish] of [
      ['Tôi quên mật khẩu', false],
      ['The jay hid an acorn under a leaf', true],
      ['El arrendajo escondió una bellota', false],
      ['Die Häher verstecken Eicheln', false],
      ['The naïve Bayes classifier multiplies the probabilities of all words', true],
      ['Ghiandaia nasconde la ghianda', false],
    ] as const)
      for (const written of [text, text.toUpperCase(), text]) expect(model.isEnglish(written), written).toBe(isEnglish)
  })
})

describe('hostile texts', () => {
  const units = [
    '\u0300\u0323',
    'a\u0301\u0323',
    'ß',
    'Ǆ',
    'Б',
    'ﷺ',
    '漢',
    'ひ',
    'ไ',
    '़',
    'é',
    '\ud83d',
    '한',
    'ä-',
    '\u{1c89}',
  ]

  test.each(units)('[G4] a run of %j takes linear time', (unit) => {
    expect(excessiveGrowth(model.embed, { unit, tail: 'ж' })).toBeNull()
    expect(excessiveGrowth(english.embed, { unit, tail: 'é' })).toBeNull()
  })

  test('[G4] control: the platform sorts the marks of one letter in quadratic time', () => {
    expect(excessiveGrowth((text) => text.normalize('NFKD'), { unit: '\u0300\u0323', tail: '' })).not.toBeNull()
  })

  test('[D1] letters newer than Unicode 15 cut words, whether the engine knows them or not', () => {
    for (const young of ['\u1c89', '\ua7cb', '\u{1ccd6}', '\u{10d50}', '\u{1e5d0}', '\ua7dc']) {
      const cut = hashOf(model.embed('приmir вет'))
      expect(hashOf(model.embed(`приmir${young}вет`)), young.codePointAt(0)!.toString(16)).toBe(cut)
    }
    // Control: an older letter does not.
    expect(hashOf(model.embed('приmirлвет'))).not.toBe(hashOf(model.embed('приmir вет')))
  })

  test('folds accents, points and width, and keeps what spells another word', () => {
    expect(['Ärger', 'СЪЁМ', 'Ὀδυσσεύς', 'كَلِمَة', 'Ｔｏｋｙｏ', 'ﬁne'].map(fold)).toEqual([
      'arger',
      'съем',
      'οδυσσευσ',
      'كلمة',
      'tokyo',
      'fine',
    ])
    expect(['が', 'กำ', '한', 'कि'].map((text) => fold(text).normalize('NFC'))).toEqual(['が', 'กํา', '한', 'कि'])
  })
})

test('refuses a table cut short or of another kind', () => {
  const bytes = new Uint8Array(table)
  for (const broken of [bytes.slice(0, 6), bytes.slice(0, 2_000), bytes.slice(0, -8), bytes.slice(1)])
    expect(() => createLanguagesModel(english, broken.buffer)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: 'assets.embeddingLanguages' }),
    )
  expect(() => createLanguagesModel(english, bytesOf('src/embedders/minilm-static-128.bin'))).toThrow(
    /whole embedding table/,
  )
})

function paragraphs(): readonly string[] {
  const folder = join(root, 'docs')
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  return pages
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/\n\s*\n/))
    .filter((text) => /[a-z]{3,} [a-z]{3,}/.test(text) && !text.startsWith('```') && !text.startsWith('|'))
}

function hashOf(vector: Float32Array): string {
  return createHash('sha256').update(new Uint8Array(vector.buffer)).digest('hex')
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
