/**
 * Compares the token estimate with cl100k itself (js-tiktoken), on texts that were not written for it: this
 * repository's own words and code, and the measuring sets where they exist. Prints the figures.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../src/core/index.ts'
import stored from '../../fixtures/token-samples.json' with { type: 'json' }
import { countTokens } from '../../support/extensions/cl100k.mjs'
import { tokenKinds, tokenSamples } from '../../support/token-kinds.ts'

const root = join(import.meta.dirname, '../../..')
const data = process.env['SCRUBJAY_EVAL_DATA'] ?? join(root, '../shared/eval/data')

/** Texts of at least 400 characters: budgets consist of such texts. */
const texts: Readonly<Record<string, () => readonly string[]>> = {
  'this repository: TypeScript': () => filesOf('src', '.ts').concat(filesOf('worker', '.ts')),
  'this repository: English': () => filesOf('src', '.md').concat(filesOf('worker', '.md'), filesOf('test', '.md')),
  'scifact, abstracts': () => corpus('scifact'),
  'cookbook-docs, documentation with code': () => corpus('cookbook-docs'),
  'locomo, chats': () => corpus('locomo', 'sessions.jsonl'),
  'drcd, traditional Chinese': () => joined(corpus('drcd-sent-zh')),
  'xquad, Chinese': () => joined(corpus('xquad-sent', 'corpus.jsonl', 'zh')),
}

for (const [name, read] of Object.entries(texts)) {
  test(`[S1] the estimate is within 15 % of cl100k: ${name}`, ({ skip }) => {
    const sample = read()
    if (sample.length === 0) return skip('SCRUBJAY_EVAL_DATA names no folder with this set')
    const ratios = sample.map((text) => estimateTokens(text) / countTokens(text)).toSorted((a, b) => a - b)
    const total = sum(sample.map(estimateTokens)) / sum(sample.map(countTokens))
    const within = ratios.filter((ratio) => Math.abs(ratio - 1) <= 0.15).length / ratios.length
    const [p05, p95] = [0.05, 0.95].map((quantile) => ratios[Math.floor(quantile * (ratios.length - 1))]!)
    process.stdout.write(
      `tokens, ${name}: ${sample.length} texts, total ${total.toFixed(3)} of cl100k, p5 ${p05?.toFixed(3)}, p95 ${p95?.toFixed(3)}, ${(100 * within).toFixed(1)} % within 15 %\n`,
    )
    expect(total).toBeGreaterThan(0.85)
    expect(total).toBeLessThan(1.15)
    expect(within).toBeGreaterThan(0.9)
  })
}

describe('kinds of text that are random, repeated, encoded or written in one case', () => {
  const samples = tokenSamples(2_026, 6)

  test.each(Object.keys(tokenKinds))('[S1] the estimate is within 15 percent of cl100k: %s', (kind) => {
    const ratios = samples
      .filter((sample) => sample.kind === kind)
      .map(({ text }) => estimateTokens(text) / countTokens(text))
      .toSorted((a, b) => a - b)
    const [least = 0, most = 0] = [ratios.at(0), ratios.at(-1)]
    process.stdout.write(
      `tokens, ${kind}: ${ratios.length} texts, ${least.toFixed(3)} to ${most.toFixed(3)} of cl100k\n`,
    )
    expect(least).toBeGreaterThanOrEqual(0.85)
    expect(most).toBeLessThanOrEqual(1.15)
  })

  test('[S1] the stored samples have their true counts', () => {
    for (const { kind, text, tokens } of stored) expect([kind, countTokens(text)]).toEqual([kind, tokens])
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** At most 400 files, evenly spread. */
function filesOf(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !path.includes('.generated.'))
    .toSorted()
    .filter((_, i, all) => i % Math.max(1, Math.floor(all.length / 200)) === 0)
    .map((path) => readFileSync(join(root, folder, path), 'utf8'))
    .filter((text) => text.length >= 400)
}

/** At most 400 texts of a set, evenly spread. */
function corpus(set: string, file = 'corpus.jsonl', language?: string): readonly string[] {
  const path = join(data, set, file)
  if (!existsSync(path)) return []
  const records = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text?: string; meta?: { lang?: string } })
    .filter(({ meta }) => language === undefined || meta?.lang === language)
  const step = Math.max(1, Math.floor(records.length / 400))
  return records.filter((_, i) => i % step === 0).flatMap(({ text }) => (text ? [text.slice(0, 20_000)] : []))
}

/** Groups of ten sentences: one alone is too short for a budget. */
function joined(sentences: readonly string[]): readonly string[] {
  return Array.from({ length: Math.floor(sentences.length / 10) }, (_, i) =>
    sentences.slice(i * 10, i * 10 + 10).join('\n'),
  )
}
