/**
 * Tests the statistics of the measuring programs: intervals, exact neighbours, plots. No difference within the noise
 * is reported.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { exactNeighbours } from '../../bench/exact-neighbours.ts'
import { drawGrowth } from '../../bench/growth.ts'
import { tablesIn } from '../../support/pages/page-tables.ts'
import { plotSvg } from '../../support/data/plot.ts'
import { dimensions, grownTo } from '../../bench/records.ts'
import { differenceOf, toCell } from '../../quality/measures/bootstrap.ts'
import { loadChunks, chunksOf, rowsOf } from '../../quality/chunks.ts'
import { runPlain } from '../../quality/measures/plain-runs.ts'
import { createRandom } from '../../support/data/random.ts'

const root = join(import.meta.dirname, '../../..')

describe('paired bootstrap', () => {
  const random = createRandom(7)
  const shipped = Array.from({ length: 300 }, () => random.next())
  const noisy = shipped.map((score) => score + (random.next() - 0.5) * 0.2)
  const better = noisy.map((score) => score + 0.05)

  it('calls a real difference clear, and noise of the same size not', () => {
    expect(differenceOf(better, shipped).isClear).toBe(true)
    expect(differenceOf(noisy, shipped).isClear).toBe(false)
  })

  it('contains the mean, and is as wide as the normal interval', () => {
    const { mean, low, high } = differenceOf(better, shipped)
    expect(low).toBeLessThan(mean)
    expect(high).toBeGreaterThan(mean)
    const deviation = 0.2 / Math.sqrt(12)
    expect(high - low).toBeCloseTo((2 * 1.96 * deviation) / Math.sqrt(300), 2)
  })

  it('gives the same interval for the same scores', () => {
    expect(differenceOf(better, shipped)).toEqual(differenceOf(better, shipped))
  })

  it('covers the true value in about 95 of 100 draws', () => {
    const covered = Array.from({ length: 100 }, () => {
      const drawn = Array.from({ length: 60 }, () => random.next() - 0.5)
      return differenceOf(
        drawn,
        drawn.map(() => 0),
      )
    }).filter(({ isClear }) => !isClear).length
    expect(covered).toBeGreaterThan(87)
    expect(covered).toBeLessThan(100)
  })

  it('prints thousandths, bold when 0 lies outside', () => {
    expect(toCell({ mean: -0.0123, low: -0.018, high: -0.006, isClear: true })).toBe('**−12.3 [−18.0, −6.0]**')
    expect(toCell({ mean: 0.00001, low: -0.002, high: 0.002, isClear: false })).toBe('0 [−2.0, +2.0]')
  })
})

describe('exact neighbours', () => {
  const random = createRandom(3)
  const count = 40
  const vectors = Float32Array.from(Array.from({ length: count }, () => [...random.vector(dimensions)]).flat())
  const collection = {
    name: 'forty',
    records: Array.from({ length: count }, (_, i) => ({ id: `r${i}`, text: `${i}`, tags: [] })),
    vectors,
    questions: [{ text: 'the first', tag: null }],
    questionVectors: vectors.slice(0, dimensions),
  }
  const { recallOf } = exactNeighbours(collection)
  const byCosine = collection.records
    .map(({ id }, row) => {
      let sum = 0
      for (let d = 0; d < dimensions; d++) sum += vectors[row * dimensions + d]! * vectors[d]!
      return { id, sum }
    })
    .sort((a, b) => b.sum - a.sum)
    .map(({ id }) => id)

  it('scores the exact ten in any order as 1, and deducts missing, wrong or repeated ids', () => {
    expect(recallOf([byCosine.slice(0, 10).reverse()])).toBe(1)
    expect(recallOf([byCosine.slice(0, 7)])).toBeCloseTo(0.7)
    expect(recallOf([[...byCosine.slice(0, 9), byCosine.at(-1)!]])).toBeCloseTo(0.9)
    expect(recallOf([Array.from({ length: 10 }, () => byCosine[0]!)])).toBeCloseTo(0.1)
  })

  it('refuses an id that no record has', () => {
    expect(() => recallOf([['stranger']])).toThrow('stranger')
  })
})

describe('texts of a large store', () => {
  it('stay distinct when there are more records than texts', () => {
    const texts = grownTo(12, ['a', 'b', 'c', 'd'])
    expect(new Set(texts).size).toBe(12)
    expect(texts.slice(0, 4)).toEqual(['a', 'b', 'c', 'd'])
    expect(() => grownTo(17, ['a', 'b', 'c', 'd'])).toThrow('do not grow')
  })
})

describe('textbook BM25', () => {
  it('ranks by rare words and splits Chinese into pairs of letters', () => {
    const texts = ['the cat sat', 'the cat and the dog', '台北的冬天很冷', '台灣的夏天']
    const dataset = {
      name: 'four',
      documents: texts.map((text, i) => ({
        id: `d${i}`,
        title: '',
        text,
        scope: '',
        session: null,
        position: null,
        at: null,
      })),
      questions: ['which dog', '冬天'].map((text, i) => ({ id: `q${i}`, text, scope: '', kind: null })),
      judgements: new Map([
        ['q0', new Map([['d1', 1]])],
        ['q1', new Map([['d2', 1]])],
      ]),
      minilm: null,
    }
    expect(runPlain(dataset, [0, 1]).runs.get('BM25')).toEqual([
      { ndcg: 1, recall: 1 },
      { ndcg: 1, recall: 1 },
    ])
  })
})

describe('vectors of chunks', () => {
  const long = Array.from({ length: 250 }, (_, i) => `word${i}`).join(' ')
  const documents = [
    { title: 'short', text: 'a few words' },
    { title: 'long', text: long },
  ]
  const rows = documents.flatMap(rowsOf)
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-chunks-'))
  const write = (vectors: Float32Array) => {
    writeFileSync(join(folder, 'two.json'), JSON.stringify(rows))
    writeFileSync(join(folder, 'two.f32'), vectors)
  }
  afterAll(() => rmSync(folder, { recursive: true }))

  it('are assigned to their document and position', () => {
    write(Float32Array.from({ length: 2 * rows.length }, (_, k) => k))
    const [none, chunks] = loadChunks('two', documents, 2, folder) ?? []
    expect(none).toEqual([])
    expect(chunks?.map(({ vector }) => [...vector])).toEqual([0, 2, 4].map((k) => [k, k + 1]))
    expect(chunks?.map(({ from, to }) => `long ${long.slice(from, to)}`)).toEqual(
      chunksOf({ title: 'long', text: long })
        .slice(1)
        .map(({ text }) => text),
    )
  })

  it('are absent where none were made, and refused when made from other texts or torn', () => {
    const other = [documents[0], { title: 'long', text: `${long} more` }] as typeof documents
    expect(loadChunks('three', documents, 2, folder)).toBeNull()
    write(new Float32Array(2 * rows.length))
    expect(() => loadChunks('two', other, 2, folder)).toThrow('must belong to these texts')
    write(new Float32Array(2 * rows.length - 1))
    expect(() => loadChunks('two', documents, 2, folder)).toThrow('must belong to these texts')
  })
})

describe('growth plots', () => {
  const page = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')

  it('are drawn from the tables as they are now; else run `npm run bench -- --plot`', () => {
    const drawings = drawGrowth(page)
    expect(readdirSync(join(root, 'docs/plots')).filter((name) => name.startsWith('growth-'))).toEqual([
      ...drawings.keys(),
    ])
    for (const [name, svg] of drawings) expect(readFileSync(join(root, 'docs/plots', name), 'utf8'), name).toBe(svg)
  })

  it('have a point for each median of the tables', () => {
    const drawing = drawGrowth(page).get('growth-answers.svg')!
    const cells = [...page.matchAll(/^\| (?:Scrubjay|MiniSearch|Orama|ZBSearch|Voy|sqlite-vec)[^|]*\|.*$/gm)].join('\n')
    const medians = cells.match(/[\d.]+ \/ [\d.]+/g)!.length - tagCells(page)
    const opened = cells.match(/[\d.]+ s\b/g)!.length
    expect([...drawing.matchAll(/<circle/g)]).toHaveLength(medians + opened)
  })

  it('control: another figure, a lost row and a lost size are noticed', () => {
    const changed = (from: string | RegExp, to: string) => {
      expect(page.replace(from, to)).not.toBe(page)
      return () => drawGrowth(page.replace(from, to))
    }
    const answers = drawGrowth(page).get('growth-answers.svg')
    expect(changed(/^\| Scrubjay +\| +[\d.]+/m, '| Scrubjay | 2.5')().get('growth-answers.svg')).not.toBe(answers)
    expect(changed('| replace · forget by 100, per s', '| replaced')).toThrow('no row')
    expect(changed('100,000 records, in one run:', 'In one run:')).toThrow('must be above the table')
    expect(changed('### Compared with other libraries', '### Others')).toThrow('no tables')
  })

  /** Answers within a tag are not plotted. */
  function tagCells(text: string): number {
    return tablesIn(text).flatMap(({ head, rows }) => {
      const at = head.findIndex((name) => name.startsWith('hybrid, tag of'))
      return rows.filter((cells) => /\d \/ /.test(cells[at] ?? ''))
    }).length
  }

  it('name each line at its end, without overlaps, and color Scrubjay alone', () => {
    const axis = { label: 'x', ticks: [0, 10] }
    const series = ['Voy', 'Scrubjay', 'Orama'].map((name) => ({ name, points: [[0, 1] as const, [10, 5] as const] }))
    const svg = plotSvg('t', [{ title: 'p', x: axis, y: axis, series }])
    const names = [...svg.matchAll(/class="s(\d) name"[^>]* y="([\d.]+)">(\w+)</g)]
    expect(names.map(([, , , name]) => name)).toEqual(['Orama', 'Scrubjay', 'Voy'])
    const heights = names.map(([, , y]) => Number(y))
    expect([heights[1]! - heights[0]!, heights[2]! - heights[1]!]).toEqual([14, 14])
    const colorOf = (i: number) => new RegExp(`\\.s${i} \\{ stroke: (#\\w+)`).exec(svg)?.[1]
    expect(colorOf(0)).toBe(colorOf(2))
    expect(colorOf(1)).not.toBe(colorOf(0))
  })
})
