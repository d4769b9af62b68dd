/** `scrubjay put <text>` or `--file records.jsonl`: stores records. */
import { statSync } from 'node:fs'
import type { PutOutcome } from '../../core/model/receipts.ts'
import type { RecordInput } from '../../core/model/record.ts'
import { readExport } from '../../import/index.ts'
import { type Given, wrongUse } from '../common/arguments.ts'
import { type Command, writeJson, writeLine } from '../common/io.ts'
import { type ReadRecord, readRecords } from '../common/read-records.ts'

const outcomes = ['inserted', 'updated', 'unchanged', 'filtered', 'rejected'] as const

export const put: Command = {
  summary: 'Stores a text, the text of a file, or the records of a file; creates the store if it does not exist.',
  help: 'A single argument that names a file stores its text. Each line of a file of --file is a record as JSON: {"id": "a", "title": "…", "body": "…", "tags": ["x"]}. Exit code 1 if a record is rejected.',
  positional: '[text] ',
  options: ['file', 'id', 'title', 'project', 'kind', 'tag'],
  store: 'create',
  showsProgress: ({ options: { file } }) => file !== undefined,
  check({ positional, options: { file } }) {
    if ((positional.join(' ').trim() === '') === (file === undefined))
      throw wrongUse('Either a text or --file must be given', 'scrubjay put --help')
  },
  async run(given, { input, output, errors, signal, progress }, store) {
    const { json, file } = given.options
    const text = given.positional.join(' ')
    const counts = Object.fromEntries(outcomes.map((name) => [name, 0])) as Record<(typeof outcomes)[number], number>
    const rejected: (PutOutcome & { readonly record: number })[] = []
    const ids: string[] = []
    let durability = 'committed'
    const store500 = async (batch: readonly RecordInput[], first: number) => {
      const receipt = await store.put(batch, { signal })
      durability = receipt.durability
      for (const [i, outcome] of receipt.records.entries()) {
        counts[outcome.outcome] += 1
        if (outcome.outcome === 'rejected') rejected.push({ ...outcome, record: first + i })
        else if (file === undefined) ids.push(outcome.id)
      }
    }
    if (file === undefined) {
      const records = await textsOf(given, text, signal, (line) => writeLine(errors, line))
      await store500(records, 1)
    } else
      await inBatches(readRecords(file, input, signal), async (batch, first) => {
        await store500(
          batch.map(({ record }) => recordOf(given, record)),
          first,
        )
        const share = batch.at(-1)?.share ?? null
        const line = `put: ${first + batch.length - 1} records${share === null ? '' : `, ${Math.floor(100 * share)} %`}`
        progress.show(line, line)
      })
    if (json === true) writeJson(output, { ...counts, durability, ids, rejections: rejected })
    else {
      const parts = outcomes.filter((name) => counts[name] > 0).map((name) => `${name} ${counts[name]}`)
      writeLine(output, [...ids, parts.join(', ') || 'no records'].join('  '))
      for (const { record, message } of rejected) writeLine(errors, `record ${record}: ${message ?? 'rejected'}`)
    }
    return rejected.length === 0 ? 0 : 1
  },
}

/** The text itself, or the text of the file that it names. */
async function textsOf(
  given: Given,
  text: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<readonly RecordInput[]> {
  const found = given.positional.length === 1 ? statSync(text, { throwIfNoEntry: false }) : undefined
  if (found?.isDirectory() === true)
    throw wrongUse(`${JSON.stringify(text)} is a folder: scrubjay import stores its files`, 'scrubjay import --help')
  if (found === undefined) {
    if (/^[^\s]+\.(?:md|markdown|txt|html?|pdf|json|csv)$/i.test(text))
      say(`stored the name itself: there is no file ${text}`)
    return [recordOf(given, { body: text })]
  }
  const { id, title } = given.options
  const imported = readExport(text, { signal, timeZone: given.options['time-zone'] })
  const records: RecordInput[] = []
  for await (const one of imported)
    records.push(
      recordOf(given, { ...one, ...(id === undefined ? {} : { id }), ...(title === undefined ? {} : { title }) }),
    )
  if (records.length !== 1) {
    const [first] = imported.report.listed
    throw wrongUse(
      `${JSON.stringify(text)} must hold one text${first === undefined ? `, and holds ${records.length} records: scrubjay import stores them` : `: ${first.message}`}`,
      'scrubjay import --help',
    )
  }
  say(`stored the text of ${text}`)
  return records
}

/** The options set fields that a record of a file lacks; tags are joined. */
function recordOf({ options: { id, title, project, kind, tag = [] } }: Given, record: RecordInput): RecordInput {
  const given = { id, title, project, kind }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  if (typeof record !== 'object' || record === null) return record
  return { ...set, ...record, ...(tag.length === 0 ? {} : { tags: [...new Set([...(record.tags ?? []), ...tag])] }) }
}

type Store = (batch: readonly ReadRecord[], first: number) => Promise<void>

/** As many as one slice of `put` has: an abort loses at most one. */
async function inBatches(records: AsyncIterable<ReadRecord>, store: Store): Promise<void> {
  let batch: ReadRecord[] = []
  let first = 1
  for await (const record of records) {
    batch.push(record)
    if (batch.length < 500) continue
    await store(batch, first)
    first += batch.length
    batch = []
  }
  if (batch.length > 0) await store(batch, first)
}
