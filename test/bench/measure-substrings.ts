/**
 * Times the substring index, in this process: building it over a filled store, following a commit, and searching
 * natural questions, each for the first time. `npx tsx test/bench/measure-substrings.ts [records]`; the texts of the
 * measuring sets where they exist (SCRUBJAY_EVAL_DATA), generated ones otherwise.
 */
import { performance } from 'node:perf_hooks'
import type { RecordInput } from '../../src/core/model/record.ts'
import { ctxsiftTerms } from '../../src/core/text/tokenise/path-tokens.ts'
import { all } from '../../worker/sqlite/database.ts'
import { eachText } from '../../worker/store/derived/searched-texts.ts'
import { createSubstringIndex } from '../../worker/store/derived/substring-index.ts'
import { createRandom } from '../support/data/random.ts'
import { openOver } from '../support/stores/open-over.ts'
import { generatedCollection, measuredCollection, missingSets } from './collections.ts'
import { percentilesOf } from './results.ts'

const count = Number(process.argv[2] ?? 10_000)
const collection = missingSets().length > 0 ? generatedCollection(count) : measuredCollection(count)
const questions = collection.questions.map(({ text }) => text)

const { call, database } = await openOver()
const random = createRandom(6)
const records = collection.records.map(
  ({ id, text }, i): RecordInput => ({
    id,
    body: text,
    ...(i % 3 === 0 ? { instruction: random.pick(questions) } : {}),
    ...(i % 4 === 0 ? { command: `pytest -q tests/test_${random.below(400)}.py` } : {}),
    ...(i % 2 === 0 ? { files: [{ path: `src/part${random.below(40)}/file${random.below(50)}.ts` }] } : {}),
  }),
)
for (let from = 0; from < records.length; from += 1000) await call('put', { batch: records.slice(from, from + 1000) })

const [index, buildMs] = timed(() => createSubstringIndex((keys, visit) => eachText(database, keys, visit)))
const search = (query: string) => index.search({ query, terms: ctxsiftTerms(query), scopeKeys: null })
const passes = [1, 2].map(() => questions.map((question) => timed(() => search(question))))
const [first = [], second = []] = passes
const words = questions.map((question) => ctxsiftTerms(question).length)
const hits = first.map(([found]) => found.keys.length)

const keys = all(database, `SELECT key FROM records ORDER BY key`, [], (row) => row.number(0))
const bytes = index.bytes()
const [, removeMs] = timed(() => index.applied([], keys.slice(-100)))
const [, addMs] = timed(() => index.applied(keys.slice(-100), []))

const lines = {
  texts: collection.name,
  records: count,
  questions: questions.length,
  'terms a question': percentilesOf(words),
  'records found': percentilesOf(hits),
  'build, ms': buildMs,
  'index, MB': bytes / 1e6,
  'first pass, ms': percentilesOf(first.map(([, ms]) => ms)),
  'second pass, ms': percentilesOf(second.map(([, ms]) => ms)),
  'remove 100 records, ms': removeMs,
  'add 100 records, ms': addMs,
}
console.log(JSON.stringify(lines, null, 2))

function timed<T>(work: () => T): readonly [T, number] {
  const from = performance.now()
  const made = work()
  return [made, performance.now() - from]
}
