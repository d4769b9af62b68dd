/**
 * Measures when the engine says `none`, and whether that is right: on questions the store answers (there it is a false
 * abstention), on the same questions with every relevant document removed from the store, and on questions from
 * another domain. At most `sampled` questions of each kind, evenly spaced, the same ones in every mode.
 */
import type { EvidenceStrength } from '../../src/core/model/result.ts'
import { type Dataset, loadDataset } from './datasets.ts'
import { canAsk, type Mode, type OpenSet, openSet } from './open-set.ts'

const sampled = 300

/** Sets whose questions belong to another domain: chat, biomedicine, web-app help, aeronautics, news of 1963, software. */
const strangers: Readonly<Record<string, readonly string[]>> = {
  locomo: ['scifact', 'stackfaq', 'cranfield', 'time'],
  'locomo-sessions': ['scifact', 'stackfaq', 'cranfield', 'time'],
  scifact: ['locomo', 'stackfaq', 'time', 'cookbook-docs'],
  stackfaq: ['scifact', 'locomo', 'cranfield', 'time'],
  cranfield: ['scifact', 'locomo', 'stackfaq', 'time'],
  time: ['scifact', 'stackfaq', 'cranfield', 'locomo'],
  'mtrag-chat': ['scifact', 'cranfield', 'locomo'],
  'cookbook-docs': ['scifact', 'cranfield', 'locomo', 'time'],
  'nl2bash-notes': ['scifact', 'locomo', 'time', 'cranfield'],
  'xquad-sent': ['locomo', 'cookbook-docs', 'stackfaq', 'nl2bash-notes'],
  'drcd-sent-zh': ['locomo', 'cookbook-docs', 'nl2bash-notes'],
  'beam-chat': ['scifact', 'cranfield', 'time'],
}

const modes = { minilm: 'with MiniLM', 'built-in': 'built-in embedder', words: 'words only' } as const

export const abstentionHead = [`| set | ${Object.values(modes).join(' | ')} |`, '|---|---:|---:|---:|'].join('\n')

/** Of each mode, in percent: false abstention · caught without the answers · caught of another domain. */
export async function abstentionLines(dataset: Dataset): Promise<string> {
  const cells: string[] = []
  for (const mode of Object.keys(modes) as (keyof typeof modes)[])
    cells.push(canAsk(dataset, mode) ? await measure(dataset, mode) : '–')
  return `| ${[dataset.name, ...cells].join(' | ')} |`
}

type Counts = Record<EvidenceStrength, number>

async function measure(dataset: Dataset, mode: Mode): Promise<string> {
  const set = await openSet(dataset, mode)
  const answered = noCounts()
  const removed = noCounts()
  for (const i of evenly(judged(dataset), sampled)) {
    answered[(await set.ask(i)).evidence.strength]++
    await set.without(relevantTo(dataset, i), async () => {
      removed[(await set.ask(i)).evidence.strength]++
    })
  }
  const strange = await askStrangers(dataset, set, mode)
  await set.close()
  return [answered, removed, strange].map((counts) => percent(share(counts, 'none'))).join(' · ')
}

async function askStrangers(dataset: Dataset, set: OpenSet, mode: Mode): Promise<Counts> {
  const counts = noCounts()
  for (const { i, asked } of strangeQuestions(dataset, mode, sampled))
    counts[(await set.ask(i, asked)).evidence.strength]++
  return counts
}

/** Questions of other sets, to be asked in this set's scopes in turn. */
export function strangeQuestions(dataset: Dataset, mode: Mode, most: number) {
  const scopes = [...new Set(dataset.documents.map((document) => document.scope))]
  const names = strangers[dataset.name] ?? []
  return names.flatMap((name) => {
    const of = loadDataset(name)
    if (of === null || (mode === 'minilm' && of.minilm === null)) return []
    const questions = evenly([...of.questions.keys()], Math.ceil(most / names.length))
    return questions.map((i, turn) => ({ i, asked: { of, scope: scopes[turn % scopes.length]! } }))
  })
}

function judged({ questions, judgements }: Dataset): readonly number[] {
  return [...questions.keys()].filter((i) =>
    [...(judgements.get(questions[i]!.id)?.values() ?? [])].some((grade) => grade > 0),
  )
}

function relevantTo({ questions, judgements }: Dataset, i: number): readonly string[] {
  const grades = judgements.get(questions[i]!.id) ?? []
  return [...grades].flatMap(([id, grade]) => (grade > 0 ? [id] : []))
}

function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all
  return Array.from({ length: most }, (_, k) => all[Math.floor((k * all.length) / most)] as T)
}

function noCounts(): Counts {
  return { none: 0, weak: 0, strong: 0 }
}

function total({ none, weak, strong }: Counts): number {
  return none + weak + strong
}

function share(counts: Counts, strength: EvidenceStrength): number {
  return counts[strength] / total(counts)
}

function percent(value: number): string {
  return (100 * value).toFixed(1)
}
