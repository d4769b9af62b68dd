/**
 * `npm run quality [ranking | abstention | contradictions | kinds | living | versus | dated | typos | languages | across | evidence | trust | ablation |
 * tried | leave-one-out | sixty-days] [set …]`: runs the engine itself over the measuring sets, with precomputed MiniLM vectors, with the built-in embedder, and by words
 * alone. Prints its ranking quality (nDCG@10 / Recall@10, next to the baselines of each set) and how well it abstains;
 * on request, the contradictions that puts propose (`contradictions`), figures by kind of question and with a reserved place (`kinds`),
 * the effect of random learning (`living`), comparisons question by question (`versus`), the worth of reading times (`dated`), what
 * typing errors cost (`typos`), what naming a language gives to texts in it (`languages`) and to questions in it over English documents
 * (`across`), how often evidence is then wrong (`evidence`), values of its trust in vectors (`trust`), the worth of each part of `balanced` (`ablation`: hybrid, hybrid with vectors of chunks, words alone, or one of them by
 * `minilm`, `'minilm chunks'` or `words`), and the worth of parts that it does not have (`tried`, likewise). `leave-one-out` judges
 * each set by a policy tuned on the others. `sixty-days` plots the life of one store.
 */
import { ablationModes, ablationTable } from './ablation.ts'
import { abstentionHead, abstentionLines } from './abstention.ts'
import { chunksFolder } from './chunks.ts'
import { contradictionsHead, contradictionsLine } from './contradictions.ts'
import { dataFolder, datasetNames, loadDataset } from './datasets.ts'
import { datedHead, datedLines } from './dated.ts'
import { evidenceHead, evidenceLines } from './evidence.ts'
import { kindsHead, kindsLines } from './kinds.ts'
import { acrossHead, acrossLines, languagesHead, languagesLines } from './languages.ts'
import { leaveOneOutTable } from './leave-one-out.ts'
import { livingHead, livingLines } from './living.ts'
import { canAsk } from './open-set.ts'
import { rankingHead, rankingLine } from './ranking.ts'
import { plotSixtyDays } from './sixty-days.ts'
import { triedTable } from './tried.ts'
import { trustHead, trustLines } from './trust.ts'
import { typosHead, typosLines } from './typos.ts'
import { versusHead, versusLines } from './versus.ts'

const tables = {
  ranking: { head: rankingHead, linesOf: rankingLine },
  abstention: { head: abstentionHead, linesOf: abstentionLines },
  contradictions: { head: contradictionsHead, linesOf: contradictionsLine },
  kinds: { head: kindsHead, linesOf: kindsLines },
  living: { head: livingHead, linesOf: livingLines },
  versus: { head: versusHead, linesOf: versusLines },
  dated: { head: datedHead, linesOf: datedLines },
  typos: { head: typosHead, linesOf: typosLines },
  languages: { head: languagesHead, linesOf: languagesLines },
  across: { head: acrossHead, linesOf: acrossLines },
  evidence: { head: evidenceHead, linesOf: evidenceLines },
  trust: { head: trustHead, linesOf: trustLines },
}

const args = process.argv.slice(2)
if (args.includes('sixty-days')) {
  console.log(await plotSixtyDays())
  process.exit()
}
if (args.includes('leave-one-out')) {
  const named = args.filter((name) => name !== 'leave-one-out')
  console.log(
    await leaveOneOutTable((named.length > 0 ? named : datasetNames).flatMap((name) => loadDataset(name) ?? [])),
  )
  process.exit()
}
const comparisons = { ablation: ablationTable, tried: triedTable }
const comparison = args.find((name): name is keyof typeof comparisons => Object.hasOwn(comparisons, name))
if (comparison !== undefined) {
  const isMode = (name: string) => ablationModes.some((mode) => mode === name)
  const named = args.filter((name) => name !== comparison && !isMode(name))
  const datasets = (named.length > 0 ? named : datasetNames).flatMap((name) => loadDataset(name) ?? [])
  for (const mode of ablationModes) {
    if (args.some(isMode) && !args.includes(mode)) continue
    if (!datasets.some((dataset) => canAsk(dataset, mode))) {
      console.log(`${mode}: skipped, no set has its vectors\n`)
      continue
    }
    console.log(`${await comparisons[comparison](datasets, mode)}\n`)
  }
  process.exit()
}
const isTable = (name: string): name is keyof typeof tables => Object.hasOwn(tables, name)
const wantedTables = args.filter(isTable)
const wantedSets = args.filter((name) => !isTable(name))
for (const table of wantedTables.length > 0 ? wantedTables : (['ranking', 'abstention'] as const)) {
  const { head, linesOf } = tables[table]
  if (chunksFolder === null) console.log('`minilm chunks` is skipped: SCRUBJAY_EVAL_CHUNKS names no folder\n')
  console.log(head)
  for (const name of wantedSets.length > 0 ? wantedSets : datasetNames) {
    const dataset = loadDataset(name)
    if (dataset === null) console.log(`| ${name} | skipped: not in ${dataFolder.split('/').slice(-3).join('/')} |`)
    else console.log(await linesOf(dataset))
  }
  console.log('')
}
