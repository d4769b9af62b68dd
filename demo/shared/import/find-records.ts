/** Reads files with the readers of `scrubjay/import` and counts what they hold. Stores nothing. */
import type { Recall, RecordInput } from 'scrubjay'
import type { ImportReport } from 'scrubjay/import'
import { type NamedFile, numbered } from '../files/named-files.ts'

export interface FoundRecords {
  /** Records of the app. */
  readonly count: number
  readonly report: ImportReport
  /** The first ones, for a preview. */
  readonly titles: readonly string[]
  /** Paths of files without a folder whose records are stored with another text: a newer version, or an unrelated file of the same name. */
  readonly taken: readonly string[]
}

export type ReadRecords = (files: readonly NamedFile[]) => {
  readonly records: AsyncIterable<RecordInput>
  /** Complete when the records have been read. */
  readonly report: () => ImportReport
}

const shownTitles = 3
const lookedUpAtOnce = 100

export async function findRecords(
  recall: Recall,
  files: readonly NamedFile[],
  read: ReadRecords,
): Promise<FoundRecords> {
  const alone = new Set(files.map(({ path }) => path).filter((path) => !path.includes('/')))
  const { records, report } = read(files)
  const titles = new Set<string>()
  const taken = new Set<string>()
  let count = 0
  let waiting: RecordInput[] = []
  const lookUp = async () => {
    const stored = await recall.get(waiting.map(({ id = '' }) => id))
    for (const [at, record] of waiting.entries())
      if (stored[at] !== undefined && (stored[at].body ?? '') !== (record.body ?? '')) taken.add(fileOf(record)!)
    waiting = []
  }
  for await (const record of records) {
    count++
    if (titles.size < shownTitles) titles.add(record.title ?? record.body?.slice(0, 80) ?? '')
    if (fileOf(record) !== undefined) waiting.push(record)
    if (waiting.length === lookedUpAtOnce) await lookUp()
  }
  await lookUp()
  return { count, report: report(), titles: [...titles], taken: [...taken] }

  /** The file without a folder that the record is of. */
  function fileOf({ id = '' }: RecordInput): string | undefined {
    if (!id.startsWith('file:')) return undefined
    const path = id.slice('file:'.length)
    // The id of a row ends in its place in the file.
    return [path, path.replace(/#[^#]*$/, '')].find((one) => alone.has(one))
  }
}

/** The files with other names where these are taken by other texts. */
export async function withFreeNames(
  recall: Recall,
  files: readonly NamedFile[],
  taken: readonly string[],
  read: ReadRecords,
): Promise<readonly NamedFile[]> {
  const free: NamedFile[] = []
  for (const file of files) {
    let one = file
    for (let number = 2; taken.includes(file.path) && (await isTaken(one)); number++)
      one = { path: numbered(file.path, number), file: file.file }
    free.push(one)
  }
  return free

  async function isTaken(file: NamedFile): Promise<boolean> {
    return (await findRecords(recall, [file], read)).taken.length > 0
  }
}
