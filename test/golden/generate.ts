/**
 * Writes the golden answers again, as words and as hashes: `npx tsx test/golden/generate.ts`. Prints what moved in `answers.txt`: say in the
 * commit which answers changed, and why.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { openRecall } from '../../src/index.ts'
import { runGerman } from '../support/stores/german-store.ts'
import { goldenLines, goldenNow, goldenSpace } from '../support/stores/golden-store.ts'
import { openEngine } from '../support/stores/open-engine.ts'
import { movesBetween, readableAnswers } from '../support/stores/readable-answers.ts'

const { call } = await openEngine({ space: goldenSpace })
const lines = await goldenLines({
  put: (batch) => call('put', { batch }, goldenNow),
  forget: (ids) => call('forget', { ids }, goldenNow),
  recall: (query) => call('recall', { query }, goldenNow),
})
writeFileSync(new URL('recall.sha256', import.meta.url), `${lines.join('\n')}\n`)
const german = await runGerman({ openRecall }, 'memory')
writeFileSync(new URL('german.sha256', import.meta.url), `${german.join('\n')}\n`)

const answersFile = new URL('answers.txt', import.meta.url)
const answers = await readableAnswers()
const before = existsSync(answersFile) ? readFileSync(answersFile, 'utf8').trimEnd().split('\n') : []
for (const move of movesBetween(before, answers)) process.stdout.write(`${move}\n`)
writeFileSync(answersFile, `${answers.join('\n')}\n`)
