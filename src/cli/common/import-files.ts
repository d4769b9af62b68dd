/** Stores the records of files and folders, and forgets those whose files are gone from a folder that was read before. */
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Recall } from '../../client/api/recall.ts'
import { recallError } from '../../core/model/errors.ts'
import type { PutOutcome } from '../../core/model/receipts.ts'
import type { RecordInput, StoredRecord } from '../../core/model/record.ts'
import { type ImportReport, readExport } from '../../import/index.ts'
import { pdfOpener } from './pdf.ts'

export interface ImportFilesOptions {
  readonly timeZone?: string | undefined
  readonly record?: Partial<RecordInput> | undefined
  readonly signal: AbortSignal
  /** Keeps the records of files that are gone. */
  readonly keep?: boolean | undefined
  /** Removes them even if a folder has no record at all now. */
  readonly force?: boolean | undefined
  /** Digests of the records that were put before, by id: those that are equal are not put again. */
  readonly known?: Map<string, string> | undefined
  readonly onBatch?: ((report: ImportReport) => void) | undefined
}

export interface ImportedFiles {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly removed: number
  readonly rejected: readonly PutOutcome[]
  readonly report: ImportReport
}

/** As many as one slice of `put` has. */
const batchSize = 500

export async function importFiles(
  store: Pick<Recall, 'put' | 'list' | 'forget'>,
  paths: readonly string[],
  options: ImportFilesOptions,
): Promise<ImportedFiles> {
  const { signal, record, timeZone, known, onBatch } = options
  const counts = { inserted: 0, updated: 0, unchanged: 0 }
  const rejected: PutOutcome[] = []
  const seen = new Set<string>()
  const records = readExport(paths, { timeZone, record, signal, openPdf: pdfOpener() })
  let batch: RecordInput[] = []
  const store500 = async () => {
    const receipt = await store.put(batch, { signal })
    for (const outcome of receipt.records) {
      if (outcome.outcome === 'rejected') rejected.push(outcome)
      else if (outcome.outcome !== 'filtered') counts[outcome.outcome]++
    }
    batch = []
    onBatch?.(records.report)
  }
  for await (const one of records) {
    seen.add(one.id!)
    if (known !== undefined) {
      const json = JSON.stringify(one)
      if (known.get(one.id!) === json) {
        counts.unchanged++
        continue
      }
      known.set(one.id!, json)
    }
    batch.push(one)
    if (batch.length === batchSize) await store500()
  }
  if (batch.length > 0) await store500()
  const removed = options.keep === true ? 0 : await removeGone(store, paths, seen, options)
  return { ...counts, removed, rejected, report: records.report }
}

/** Records whose origin is one of these folders, and whose ids the folders no longer give. */
async function removeGone(
  store: Pick<Recall, 'list' | 'forget'>,
  paths: readonly string[],
  seen: ReadonlySet<string>,
  { signal, record, force, known }: ImportFilesOptions,
): Promise<number> {
  const roots = new Set(paths.filter((path) => statSync(path).isDirectory()).map((path) => basename(resolve(path))))
  if (roots.size === 0) return 0
  const gone: string[] = []
  let cursor: string | null = null
  do {
    const project: string | undefined = record?.project ?? undefined
    const page = await store.list({ ...(project === undefined ? {} : { project }), limit: 1000, cursor }, { signal })
    for (const one of page.items) if (roots.has(rootOf(one) ?? '') && !seen.has(one.id)) gone.push(one.id)
    cursor = page.nextCursor
  } while (cursor !== null)
  if (gone.length > 0 && seen.size === 0 && force !== true) {
    throw recallError(
      'INVALID_ARGUMENT',
      `must hold records: ${gone.length} stored ones come from it, and none is left`,
      {
        field: 'path',
        value: [...roots].join(', '),
        hint: 'Check that the folder is the right one and is mounted, or give --force to forget them.',
      },
    )
  }
  for (let from = 0; from < gone.length; from += 1_000) await store.forget(gone.slice(from, from + 1_000), { signal })
  for (const id of gone) known?.delete(id)
  return gone.length
}

function rootOf({ metadata }: Pick<StoredRecord, 'metadata'>): string | null {
  const origin = metadata['import'] as { readonly root?: unknown } | undefined
  return typeof origin?.root === 'string' ? origin.root : null
}
