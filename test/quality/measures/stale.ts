/**
 * Measures changed statements (docs/quality.md): pairs among 400 other turns in order of their days, and updates of people. Prints how often
 * the later statement comes first, is noticed by `put`, and how often another pair is taken for one.
 * `SCRUBJAY_EVAL_DATA=folder npx tsx test/quality/measures/stale.ts [words] [missed]`
 */
import { readFileSync } from 'node:fs'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { ownTables } from '../../../src/embedders/static-embedder.ts'
import { openEngine, startOfTime } from '../../support/stores/open-engine.ts'
import { scoreRanking } from './metrics.ts'

const data = process.env['SCRUBJAY_EVAL_DATA'] ?? '../shared/eval/data'
const table = staticEmbedder()
const isWords = process.argv.includes('words')
const isTold = process.argv.includes('missed')
const day = 86_400_000
const open = () =>
  openEngine(
    isWords ? {} : { space: { name: table.space, dimensions: table.dimensions } },
    isWords ? null : ownTables({}),
  )
const linesOf = (file: string) =>
  readFileSync(`${data}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const fixtures = (name: string) =>
  readFileSync(new URL(`../../fixtures/changes/${name}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))

interface Pair {
  readonly before: string
  readonly after: string
  readonly question: string
}

const others = linesOf('locomo/corpus.jsonl')
  .slice(0, 400)
  .map(({ text }, i) => ({ id: `o${i}`, body: text as string, createdAt: startOfTime + (i % 100) * day }))

async function ofPairs(name: string, pairs: readonly Pair[]) {
  let [first, noticed, any] = [0, 0, 0]
  for (const { before, after, question } of pairs) {
    const { call } = await open()
    await call('put', { batch: others, findContradictions: false })
    await call('put', { batch: [{ id: 'before', body: before, createdAt: startOfTime }], findContradictions: true })
    const { records } = await call(
      'put',
      { batch: [{ id: 'after', body: after, createdAt: startOfTime + 100 * day }], findContradictions: true },
      startOfTime + 100 * day,
    )
    const isNoticed = records[0]?.contradicts?.includes('before') === true
    const { hits } = await call('recall', { query: { text: question, limit: 500 } }, startOfTime + 120 * day)
    const place = (id: string) => hits.findIndex((hit) => hit.id === id)
    const isFirst = place('after') >= 0 && (place('before') < 0 || place('after') < place('before'))
    if (isFirst) first++
    if (isFirst && place('after') < 3) any++
    if (isNoticed) noticed++
    if (isTold && !(isFirst && isNoticed))
      console.log(`${isFirst ? '' : 'order '}${isNoticed ? '' : 'unnoticed '}| ${before} | ${after} | ${question}`)
    await call('close', {})
  }
  console.log(`${name}: later first ${first}, within three ${any}, noticed ${noticed} of ${pairs.length}`)
}

async function ofControls(name: string, controls: readonly (readonly string[])[]) {
  let alarms = 0
  for (const [one, other] of controls) {
    const { call } = await open()
    await call('put', { batch: [{ id: 'one', body: one!, createdAt: startOfTime }], findContradictions: true })
    const { records } = await call(
      'put',
      { batch: [{ id: 'other', body: other!, createdAt: startOfTime + 100 * day }], findContradictions: true },
      startOfTime + 100 * day,
    )
    if (records[0]?.contradicts?.includes('one') === true) {
      alarms++
      if (isTold) console.log(`alarm | ${one} | ${other}`)
    }
    await call('close', {})
  }
  console.log(`${name}: false alarms ${alarms} of ${controls.length}`)
}

async function ofUpdates() {
  const { call } = await open()
  const batch = linesOf('halumem-updates/corpus.jsonl').map(({ id, text, meta }) => ({
    id,
    body: text,
    project: meta.conv,
    createdAt: startOfTime + meta.t * day,
  }))
  await call('put', { batch })
  const grades = new Map<string, Map<string, number>>()
  for (const line of readFileSync(`${data}/halumem-updates/qrels.tsv`, 'utf8').trim().split('\n')) {
    const [q, d] = line.split('\t') as [string, string]
    grades.set(q, new Map([[d, 1]]))
  }
  let [first, ndcg] = [0, 0]
  const questions = linesOf('halumem-updates/queries.jsonl')
  for (const { id, text, meta } of questions) {
    const { hits } = await call(
      'recall',
      { query: { text, scope: { project: meta.conv }, limit: 500, collapse: 'none' } },
      startOfTime + 400 * day,
    )
    const ids = hits.map((hit) => hit.id)
    const later = [...grades.get(id)!.keys()][0]!
    const place = (name: string) => ids.indexOf(name)
    const old = later.replace('new', 'old')
    const isFirst = place(later) >= 0 && (place(old) < 0 || place(later) < place(old))
    if (isFirst) first++
    else if (isTold)
      console.log(
        `${text}\n  later ${batch.find((r) => r.id === later)?.body}\n  earlier ${batch.find((r) => r.id === old)?.body}`,
      )
    ndcg += scoreRanking(ids, grades.get(id)!).ndcg
  }
  console.log(
    `halumem-updates: later first ${first} of ${questions.length}, nDCG@10 ${(ndcg / questions.length).toFixed(4)}`,
  )
}

const own = fixtures('pairs').map(([, , before, after, question]) => ({ before, after, question }) as Pair)
await ofPairs('changes', linesOf('changes/pairs.jsonl'))
await ofControls(
  'changes',
  linesOf('changes/controls.jsonl').map(({ one, other }) => [one, other]),
)
await ofUpdates()
if (!process.argv.includes('given')) {
  await ofPairs('own pairs', own)
  await ofControls(
    'own controls',
    fixtures('controls').map(([, one, other]) => [one!, other!]),
  )
}
