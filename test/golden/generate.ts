/**
 * Writes the golden hashes again: `npx tsx test/golden/generate.ts`. A change of a hash means that answers changed in
 * every store; say in the commit which, and why.
 */
import { writeFileSync } from 'node:fs'
import { openRecall } from '../../src/index.ts'
import { runGerman } from '../support/stores/german-store.ts'
import { goldenLines, goldenNow, goldenSpace } from '../support/stores/golden-store.ts'
import { openEngine } from '../support/stores/open-engine.ts'

const { call } = await openEngine({ space: goldenSpace })
const lines = await goldenLines({
  put: (batch) => call('put', { batch }, goldenNow),
  forget: (ids) => call('forget', { ids }, goldenNow),
  recall: (query) => call('recall', { query }, goldenNow),
})
writeFileSync(new URL('recall.sha256', import.meta.url), `${lines.join('\n')}\n`)
const german = await runGerman({ openRecall }, 'memory')
writeFileSync(new URL('german.sha256', import.meta.url), `${german.join('\n')}\n`)
