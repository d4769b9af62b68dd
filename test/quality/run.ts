/**
 * `npm run quality write [table …]` runs every table of ranking quality in `docs/data` and `docs/benchmarks.md`, and writes each into its page with the commit. It leaves out those that the pages have from this commit, unless they are named.
 *
 * `npm run quality [ranking | abstention | contradictions | kinds | standing | living | versus | chunks | dated | named-days | typos | languages | across |
 * evidence | trust | ablation | tried | leave-one-out | sixty-days] [set …]`: runs the engine itself over the measuring sets, with precomputed MiniLM vectors, with the built-in embedder, and by words
 * alone. Prints its ranking quality (nDCG@10 / Recall@10, next to the baselines of each set) and how well it abstains;
 * on request, the contradictions that puts propose (`contradictions`), figures by kind of question and with a reserved place (`kinds`),
 * the effect of random learning (`living`), comparisons question by question (`versus`), the worth of reading times (`dated`), what
 * typing errors cost (`typos`), what naming a language gives to texts in it (`languages`) and to questions in it over English documents
 * (`across`), how often evidence is then wrong (`evidence`), values of its trust in vectors (`trust`), ranking while vectors are made (`coverage`), the worth of each part of `balanced` (`ablation`: hybrid, hybrid with vectors of chunks, words alone, or one of them by
 * `minilm`, `'minilm chunks'` or `words`), and the worth of parts that it does not have (`tried`, likewise). `leave-one-out` judges
 * each set by a policy tuned on the others. `sixty-days` plots the life of one store.
 */
import { ablationModes, ablationTable } from './ablation.ts'
import { abstentionHead, abstentionLines } from './abstention.ts'
import { chunksFolder } from './chunks.ts'
import { contradictionsHead, contradictionsLine } from './contradictions.ts'
import { coverageHead, coverageLines } from './measures/coverage.ts'
import { dataFolder, type Dataset, datasetNames, loadDataset, textsAlone } from './datasets.ts'
import { datedHead, datedLines } from './dated.ts'
import { evidenceTables } from './evidence.ts'
import { kindsHead, kindsLines, standingHead, standingLines } from './kinds.ts'
import { acrossHead, acrossLines, languagesHead, languagesLines } from './languages.ts'
import { leaveOneOutTable } from './leave-one-out.ts'
import { livingHead, livingLines } from './living.ts'
import { namedDaysHead, namedDaysLines } from './named-days.ts'
import { canAsk } from './open-set.ts'
import { rankingHead, rankingLine } from './ranking.ts'
import { plotSixtyDays } from './sixty-days.ts'
import { triedTable } from './tried.ts'
import { trustHead, trustLines } from './trust.ts'
import { typosHead, typosLines } from './typos.ts'
import { chunksLines, versusHead, versusLines } from './versus.ts'
import { writeReadme } from '../bench/tables/readme-rows.ts'
import { isWritten, measuredNow, writeTables } from '../support/pages/page-tables.ts'

interface Table {
  readonly head: string
  linesOf(dataset: Dataset): Promise<string>
}

const tables = {
  ranking: { head: rankingHead, linesOf: rankingLine },
  abstention: { head: abstentionHead, linesOf: abstentionLines },
  contradictions: { head: contradictionsHead, linesOf: contradictionsLine },
  kinds: { head: kindsHead, linesOf: kindsLines },
  standing: { head: standingHead, linesOf: standingLines },
  living: { head: livingHead, linesOf: livingLines },
  versus: { head: versusHead, linesOf: versusLines },
  chunks: { head: versusHead, linesOf: chunksLines },
  dated: { head: datedHead, linesOf: datedLines },
  'named-days': { head: namedDaysHead, linesOf: namedDaysLines },
  typos: { head: typosHead, linesOf: typosLines },
  languages: { head: languagesHead, linesOf: languagesLines },
  across: { head: acrossHead, linesOf: acrossLines },
  evidence: { head: '', linesOf: evidenceTables },
  coverage: { head: coverageHead, linesOf: coverageLines },
  trust: { head: trustHead, linesOf: trustLines },
} satisfies Record<string, Table>

const ablations = { ablation: ablationTable, tried: triedTable }

/** The tables of pages and their sets, the quick ones first. */
const written = {
  standing: { page: 'docs/data/standing.tsv', sets: ['beam-chat'] },
  typos: { page: 'docs/data/typos.tsv', sets: ['stackfaq', 'cranfield', 'scifact', 'nl2bash-notes'] },
  ranking: {
    page: 'docs/benchmarks.md',
    sets: datasetNames.flatMap((name) => (name === 'locomo' ? [name, textsAlone] : name)),
  },
  abstention: { page: 'docs/data/abstention.tsv', sets: datasetNames },
  versus: { page: 'docs/data/versus.tsv', sets: datasetNames },
  chunks: { page: 'docs/data/chunks.tsv', sets: datasetNames },
  dated: { page: 'docs/data/dated.tsv', sets: datasetNames },
  contradictions: {
    page: 'docs/data/contradictions.tsv',
    sets: ['beam-chat', 'locomo', 'mtrag-chat', 'cookbook-docs', 'cranfield'],
  },
  languages: { page: 'docs/data/languages.tsv', sets: ['xquad-sent', 'drcd-sent-zh'] },
  across: { page: 'docs/data/across.tsv', sets: ['xquad-sent'] },
  trust: { page: 'docs/data/trust.tsv', sets: ['xquad-sent', 'drcd-sent-zh'] },
  evidence: { page: 'docs/data/evidence.tsv', sets: ['xquad-sent'] },
  'leave-one-out': { page: 'docs/data/leave-one-out.tsv', sets: datasetNames },
} satisfies Partial<Record<keyof typeof tables | 'leave-one-out', { page: string; sets: readonly string[] }>>

await main(process.argv.slice(2))

async function main([first, ...rest]: readonly string[]): Promise<void> {
  if (first === 'write') return writePages(rest)
  if (first === 'sixty-days') return console.log(await plotSixtyDays())
  const args = first === undefined ? [] : [first, ...rest]
  if (args.includes('leave-one-out')) {
    const sets = setsOf(args.filter((name) => name !== 'leave-one-out'))
    return console.log(await leaveOneOutTable(sets.flatMap((name) => loadDataset(name) ?? [])))
  }
  const ablation = args.find((name) => isIn(ablations, name))
  if (ablation !== undefined)
    return printAblation(
      ablation,
      args.filter((name) => name !== ablation),
    )
  const names = args.filter((name) => isIn(tables, name))
  const sets = setsOf(args.filter((name) => !isIn(tables, name)))
  for (const name of names.length > 0 ? names : (['ranking', 'abstention'] as const)) {
    console.log(tables[name].head)
    for (const set of sets) {
      const dataset = loadDataset(set)
      if (dataset === null) console.log(`| ${set} | skipped: not in ${dataFolder.split('/').slice(-3).join('/')} |`)
      else console.log(await tables[name].linesOf(dataset))
    }
    console.log('')
  }
}

/** Each table is written when it is complete, so an interrupted run continues with the next one. */
async function writePages(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !isIn(written, name))
  if (unknown !== undefined) throw new Error(`write knows ${Object.keys(written).join(', ')}, not ${unknown}`)
  const measured = measuredNow()
  for (const [name, { page, sets }] of Object.entries(written)) {
    if (names.length > 0 && !names.includes(name)) continue
    const command = `npm run quality ${name}`
    const startedMs = performance.now()
    if (isWritten(page, command, measured) && names.length === 0) console.log(`${name}: is of this commit`)
    else if (name === 'chunks' && chunksFolder === null)
      console.log(`${name}: left out, SCRUBJAY_EVAL_CHUNKS names no folder`)
    else {
      const printed = await printedBy(name as keyof typeof written, sets.map(required))
      writeTables(page, command, printed, measured)
      if (name === 'ranking') writeReadme()
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
      console.log(`${printed}\n\n${name}: written to ${page} after ${seconds} s\n`)
    }
  }
}

async function printedBy(name: keyof typeof written, datasets: readonly Dataset[]): Promise<string> {
  if (name === 'leave-one-out') return leaveOneOutTable(datasets)
  const { head, linesOf } = tables[name]
  const parts = [head]
  for (const dataset of datasets) parts.push(await linesOf(dataset))
  return parts.filter((part) => part !== '').join('\n')
}

async function printAblation(name: keyof typeof ablations, args: readonly string[]): Promise<void> {
  const isMode = (arg: string) => ablationModes.some((mode) => mode === arg)
  const datasets = setsOf(args.filter((arg) => !isMode(arg))).flatMap((set) => loadDataset(set) ?? [])
  for (const mode of ablationModes) {
    if (args.some(isMode) && !args.includes(mode)) continue
    if (!datasets.some((dataset) => canAsk(dataset, mode))) console.log(`${mode}: skipped, no set has its vectors\n`)
    else console.log(`${await ablations[name](datasets, mode)}\n`)
  }
}

function setsOf(named: readonly string[]): readonly string[] {
  return named.length > 0 ? named : datasetNames
}

function required(name: string): Dataset {
  const dataset = loadDataset(name)
  if (dataset === null)
    throw new Error(`The tables need the set ${name}. Set SCRUBJAY_EVAL_DATA to the folder of the sets.`)
  return dataset
}

function isIn<T extends object>(table: T, name: string): name is keyof T & string {
  return Object.hasOwn(table, name)
}
