/**
 * Checks that the numbers of the specification (docs/spec.md and its parts) are those of the code: registries, error codes, constants of the policies,
 * limits.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { curves } from '../../../src/core/evidence/probability.ts'
import {
  errorCodes,
  outcomes,
  type Policy,
  policies,
  reasonCodes,
  riskFlags,
  signals,
  tuning,
} from '../../../src/core/index.ts'

const docs = join(import.meta.dirname, '../../../docs')
const parts = ['spec.md', ...readdirSync(join(docs, 'spec')).map((name) => `spec/${name}`)]
const page = parts.map((name) => readFileSync(join(docs, name), 'utf8')).join('\n')

it('the parts have each heading once, so a citation by heading is not ambiguous', () => {
  const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading)
  expect(headings.length).toBeGreaterThan(50)
  expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([])
})

describe('registries', () => {
  it('of error codes are complete', () => {
    const listed = sectionOf(page, 'Errors').matchAll(/`([A-Z_]{6,})`/g)
    expect([...listed].map(([, code]) => code).sort()).toEqual([...errorCodes].sort())
  })

  it('of reason codes have their categories and weights', () => {
    const listed = rowsOf(sectionOf(page, 'Reason codes')).flatMap(([category = '', codes = '']) =>
      codes.split(', ').map((entry) => {
        const [name = '', weight = ''] = entry.split(' ')
        return [name, { category, weight: numberOf(weight) }] as const
      }),
    )
    expect(Object.fromEntries(listed)).toEqual(reasonCodes)
  })

  it('of risk flags have their severities', () => {
    const listed = [...sectionOf(page, 'Risk flags').matchAll(/`(info|warn|block)`:\s+([a-z_,\s]+)\./g)].flatMap(
      ([, severity, names = '']) => names.split(',').map((name) => [name.trim(), { severity }] as const),
    )
    expect(Object.fromEntries(listed)).toEqual(riskFlags)
  })
})

describe('policies', () => {
  it('have the BM25 parameters of the table', () => {
    const [, parameters = []] = tablesOf(sectionOf(page, 'BM25'))
    const listed = parameters.flatMap(([names = '', ...values]) =>
      namesIn(names).map((name) => [name, values.map((value) => (/^[\d.]/.test(value) ? Number(value) : value))]),
    )
    const coded = Object.values(policies).map(({ name, lexical }) => {
      const { k1, b, lengthPrior, titleBoost, commonWordWeight, questionWordWeight, units, statistics } = lexical
      return [name, [k1, b, lengthPrior, titleBoost, commonWordWeight, questionWordWeight, units, statistics]]
    })
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(coded))
  })

  it('have the signals of the table, in its order', () => {
    const listed = rowsOf(sectionOf(page, 'Convex fusion')).flatMap(([names = '']) => namesIn(names))
    const whole = listed.map((name) => (name.startsWith('.') ? `prefer${name}` : name))
    expect(whole).toEqual(signals.map(({ name }) => name))
  })

  it('have the weights of the table', () => {
    const rows = new Map(
      rowsOf(sectionOf(page, 'Convex fusion')).map(([names = '', , own = '']) => [namesIn(names)[0], own]),
    )
    const { fusion, prefer, recency, categoryFactor, reasonBound, freshness, learned } = policies.balanced as Extract<
      Policy,
      { readonly learned: unknown }
    >
    const { confidence, decay, halfLifeDays, access, halfReads, linked } = learned
    expect(Object.fromEntries(rows)).toEqual({
      lexical: `${fusion.lexical}, ${fusion.lexicalScale}`,
      meaning: '[below](#meaning)',
      cosine: `${fusion.cosine}`,
      pairs: `${fusion.pairs}`,
      terms: `${fusion.terms}`,
      paths: `${fusion.paths}`,
      recent: `${fusion.recent ?? 1}`,
      time: `${fusion.time}`,
      'prefer.project': `${prefer.project}, ${prefer.kind}, ${prefer.topic}`,
      recency: `${recency}`,
      reasons: `factor ${categoryFactor.task}, bound ${reasonBound}`,
      freshness: `fresh ${freshness.fresh}, stale_changed ${minus(freshness.stale_changed)}, stale_deleted ${minus(freshness.stale_deleted)}`,
      confidence: `${confidence}`,
      decay: `${decay}, ${halfLifeDays} days`,
      access: `${access}, ${halfReads} reads`,
      linked: `${linked}`,
    })
  })

  it('have the thresholds of evidence of the table', () => {
    const listed = rowsOf(sectionOf(page, 'Evidence')).map(([, ...values]) => values.map(Number))
    const mixes = ['wordsAndMeaning', 'wordsAlone', 'meaningAlone', 'acrossLanguages'] as const
    const coded = mixes.map((mix) => {
      const { words, meaning, length, records, weak, strong } = policies.balanced.evidence[mix]!
      return [words, meaning, length, records, weak, strong, ...curves[mix]]
    })
    expect(listed).toEqual(coded)
  })

  it('of stages have the weights of the table', () => {
    const listed = rowsOf(sectionOf(page, 'Staged fusion')).flatMap(([names = '', weights = '']) =>
      namesIn(names).map((name, i) => [name, Number(weights.split(', ')[i])] as const),
    )
    expect(Object.fromEntries(listed)).toEqual(policies.ctxsift.fusion.sources)
  })
})

it('outcomes have the effects of the table', () => {
  const [, ...names] = (sectionOf(page, 'Outcomes').match(/^\|.*$/m)?.[0] ?? '').split('|').map((cell) => cell.trim())
  const kinds = names.filter((name) => name !== '').map((name) => name.replace(' (default)', ''))
  expect(kinds).toEqual(Object.keys(outcomes))
  const rows = new Map(rowsOf(sectionOf(page, 'Outcomes')).map(([name = '', ...cells]) => [name, cells]))
  const cell = (row: string, kind: string) => rows.get(row)?.[kinds.indexOf(kind)] ?? ''
  for (const [kind, effects] of Object.entries(outcomes)) {
    expect(cell('decay clock', kind) !== '', kind).toBe(effects.touches)
    expect(cell('read', kind), kind).toBe(effects.confirmsRead ? 'counted' : 'not counted')
    expect(cell('amplitudes', kind), kind).toBe(effects.amplitude === 1 ? '' : `× ${effects.amplitude}`)
    expect(cell('pressure', kind).startsWith('relieved'), kind).toBe(effects.resolves !== 'never')
    expect(cell('confidence signal', kind), kind).toBe(effects.signal === null ? '' : `${effects.signal}`)
    const error = effects.predictionError
    expect(cell("open prediction's error", kind), kind).toBe(error === null ? '' : `${error}`)
  }
})

it('limits are those of the engine', () => {
  const limits = sectionOf(page, 'Limits')
  for (const limit of [
    tuning.maxQueryCharacters,
    tuning.maxQueryTerms,
    tuning.maxQueryPairs,
    tuning.maxRecallLimit,
    tuning.defaultListLimit,
    tuning.maxIdLength,
    tuning.maxTagLength,
    tuning.maxTerms,
    tuning.maxCycles,
    tuning.maxVectorsPerRecord,
    tuning.maxPutBatch,
    tuning.recordsPerCommit,
    tuning.snippetLength,
    tuning.vectorRankDepth,
    tuning.rememberedRevisions,
    tuning.liveQueryMs,
  ])
    expect(limits).toMatch(new RegExp(`(?<![\\d,])${limit.toLocaleString('en')}(?![\\d,]\\d)`))
})

it('control: another number in the page is found', () => {
  const changed = page.replace('current_task 1,', 'current_task 0.8,')
  expect(rowsOf(sectionOf(changed, 'Reason codes'))).not.toEqual(rowsOf(sectionOf(page, 'Reason codes')))
  expect(sectionOf(page, 'Limits')).not.toMatch(/(?<![\d,])4,097(?![\d,]\d)/)
})

/** The text under a heading, up to the next one. */
function sectionOf(markdown: string, heading: string): string {
  const section = new RegExp(`^#{2,3} ${heading}\\n([\\s\\S]*?)(?=^#{2,3} |(?![\\s\\S]))`, 'm').exec(markdown)?.[1]
  if (section === undefined) throw new Error(`The specification has no heading ${heading}`)
  return section
}

type Rows = readonly (readonly string[])[]

/** The rows of each table, without its head. */
function tablesOf(section: string): readonly Rows[] {
  return [...section.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )
}

/** The rows of the first table. */
function rowsOf(section: string): Rows {
  return tablesOf(section)[0] ?? []
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function numberOf(text: string): number {
  return Number(text.replace('−', '-'))
}

function minus(value: number): string {
  return `${value}`.replace('-', '−')
}
