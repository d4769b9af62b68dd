/** The store of the playground: in memory, filled with what the text says. Each refused record becomes a problem with a place. */
import { openRecall, type Recall, RecallError, type RecallResult, type RecordInput } from 'scrubjay'
import { parseText, placeOf, type Problem } from './locate.ts'

export interface Asked {
  readonly question: string
  readonly policy: string
  readonly records: string
}

export interface Outcome {
  readonly result: RecallResult | null
  readonly problems: { readonly policy: Problem | null; readonly records: Problem | null }
  /** An error that belongs to neither text. */
  readonly error: string | null
}

export interface PlaygroundStore {
  ask(asked: Asked): Promise<Outcome>
}

const mostRecords = 500

export async function openPlayground(): Promise<PlaygroundStore> {
  const recall = await openRecall({ name: 'scrubjay-playground', storage: 'memory' })
  /** The text whose records are stored, with its problem. */
  let stored: { readonly text: string; readonly problem: Problem | null } | undefined

  return { ask }

  async function ask({ question, policy, records }: Asked): Promise<Outcome> {
    if (stored?.text !== records) stored = { text: records, problem: await replace(recall, records) }
    const parsed = parseText(policy)
    const base = { records: stored.problem }
    if ('problem' in parsed) return { result: null, problems: { ...base, policy: parsed.problem }, error: null }
    try {
      const result = await recall.recall({
        ...(question.trim() === '' ? {} : { text: question }),
        // The engine checks it, and names the wrong field.
        policy: parsed.value as never,
        ledger: true,
      })
      return { result, problems: { ...base, policy: null }, error: null }
    } catch (error) {
      if (!(error instanceof RecallError)) throw error
      const field = error.field ?? ''
      if (!/^policy\b/.test(field)) return { result: null, problems: { ...base, policy: null }, error: error.message }
      const place = placeOf(parsed.tree, field.replace(/^policy\.?/, ''))
      return { result: null, problems: { ...base, policy: { message: error.message, place } }, error: null }
    }
  }
}

/** Puts the records of the text and forgets all others. Returns the first problem; the other records are stored. */
async function replace(recall: Recall, text: string): Promise<Problem | null> {
  const parsed = parseText(text)
  if ('problem' in parsed) return parsed.problem
  const { value, tree } = parsed
  const problemAt = (path: string, message: string) => ({ message, place: placeOf(tree, path) })
  if (!Array.isArray(value)) return problemAt('', 'The records must be a list. Hint: put them between [ and ].')
  if (value.length > mostRecords)
    return problemAt(`[${mostRecords}]`, `The playground takes at most ${mostRecords} records.`)
  const { items } = await recall.list({ limit: 1000 })
  const outcomes = value.length === 0 ? [] : (await recall.put(value as RecordInput[])).records
  const kept = new Set(outcomes.flatMap(({ id, outcome }) => (outcome === 'rejected' ? [] : [id])))
  const old = items.map(({ id }) => id).filter((id) => !kept.has(id))
  if (old.length > 0) await recall.forget(old)
  const place = outcomes.findIndex(({ outcome }) => outcome === 'rejected')
  const refused = outcomes[place]
  if (refused === undefined || refused.outcome !== 'rejected') return null
  const { field, message } = refused
  const path = field === undefined || field === 'record' ? '' : `.${field}`
  return problemAt(`[${place}]${path}`, message ?? 'This record was refused.')
}
