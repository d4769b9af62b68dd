/**
 * Measures questions that nothing in the store answers (docs/quality.md): of each set with such questions, nDCG@10 of the others, and how
 * often `none` is said, and rightly. `SCRUBJAY_EVAL_DATA=folder npx tsx test/quality/measures/unanswerable.ts [words] [set …]`
 */
import { readFileSync } from 'node:fs'
import { loadDataset } from '../datasets.ts'
import { type Mode, openSet } from '../open-set.ts'
import { scoreRanking } from './metrics.ts'

const data = process.env['SCRUBJAY_EVAL_DATA'] ?? '../shared/eval/data'
const args = process.argv.slice(2)
const named = args.filter((arg) => arg !== 'words' && arg !== 'built-in')
const modes: Mode[] = args.includes('words')
  ? ['words']
  : args.includes('built-in')
    ? ['built-in']
    : ['words', 'built-in']
for (const name of named.length > 0 ? named : ['locomo-adv', 'clinc-oos', 'clapnq-un'])
  for (const mode of modes) {
    const dataset = loadDataset(name)!
    const unanswerable = new Set(
      readFileSync(`${data}/${name}/queries.jsonl`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ meta }) => meta.unanswerable)
        .map(({ id }) => id),
    )
    const set = await openSet(dataset, mode)
    const counts = { right: { none: 0, weak: 0, strong: 0 }, un: { none: 0, weak: 0, strong: 0 } }
    let [ndcg, asked] = [0, 0]
    for (const [i, { id }] of dataset.questions.entries()) {
      const { evidence, hits } = await set.ask(i, {})
      counts[unanswerable.has(id) ? 'un' : 'right'][evidence.strength]++
      const grades = dataset.judgements.get(id)
      if (unanswerable.has(id) || grades === undefined) continue
      ndcg += scoreRanking(
        hits.map((hit) => hit.id),
        grades,
      ).ndcg
      asked++
    }
    await set.close()
    const { right, un } = counts
    const sum = (c: typeof un) => c.none + c.weak + c.strong
    const precision = un.none / (un.none + right.none)
    console.log(
      `${name} ${mode}: nDCG@10 ${(ndcg / asked).toFixed(4)}, none for ${((100 * un.none) / sum(un)).toFixed(1)} % of ${sum(un)} unanswerable, ` +
        `${((100 * right.none) / sum(right)).toFixed(1)} % of ${sum(right)} others, precision ${precision.toFixed(2)}; strong ${un.strong} and ${right.strong}`,
    )
  }
