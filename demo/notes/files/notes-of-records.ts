/**
 * Makes notes of the records of other apps. The messages of one conversation become one note, in their order; a long conversation becomes several.
 * Tags and other names of a record are kept as front matter. `metadata.importedAt` is the time of the text: a note with a later one was edited. Pure.
 */
import type { RecordInput, StoredRecord } from 'scrubjay'
import { comingBack, recordOf } from '../model/note.ts'

/** Characters of a conversation in one note: long ones are slow to edit. */
const mostCharacters = 100_000

export async function* notesOfRecords(
  records: AsyncIterable<RecordInput>,
  idByLink: (address: string) => string | undefined,
): AsyncIterable<RecordInput> {
  let open: Conversation | undefined
  const parts = new Map<string, number>()
  for await (const record of records) {
    const session = conversationOf(record)
    if (open !== undefined && (open.session !== session || open.length > mostCharacters)) {
      yield noteOfConversation(open, idByLink)
      open = undefined
    }
    if (session === null) yield noteOf(record, idByLink)
    else {
      if (open === undefined) parts.set(session, (parts.get(session) ?? 0) + 1)
      const part = parts.get(session) ?? 1
      open = withMessage(open ?? { session, first: record, last: record, part, texts: [], length: 0 }, record)
    }
  }
  if (open !== undefined) yield noteOfConversation(open, idByLink)
}

/** Null for what was not said in a conversation: mail has threads, too, but each mail is a text of its own. */
function conversationOf({ session = null, metadata }: RecordInput): string | null {
  return typeof metadata?.['role'] === 'string' ? session : null
}

/** Whether importing again may replace the stored note: the person has not edited it. */
export function isAsImported({ metadata, updatedAt }: Pick<StoredRecord, 'metadata' | 'updatedAt'>): boolean {
  return metadata['importedAt'] === updatedAt
}

interface Conversation {
  readonly session: string
  readonly first: RecordInput
  readonly last: RecordInput
  /** From 1. */
  readonly part: number
  readonly texts: string[]
  readonly length: number
}

/** The texts of the conversation are extended. */
function withMessage(conversation: Conversation, record: RecordInput): Conversation {
  const text = `**${speakerOf(record)}:** ${record.body ?? ''}`
  conversation.texts.push(text)
  return { ...conversation, last: record, length: conversation.length + text.length }
}

function noteOfConversation({ session, first, last, part, texts }: Conversation, idByLink: IdByLink): RecordInput {
  const title = `${first.title ?? session}${part === 1 ? '' : ` (${part})`}`
  const id = `conversation:${session}${part === 1 ? '' : `#${part}`}`
  const { createdAt } = first
  return noteOf({ id, title, body: texts.join('\n\n'), createdAt, updatedAt: last.updatedAt ?? createdAt }, idByLink)
}

type IdByLink = (address: string) => string | undefined

function noteOf(
  { id, title, body, tags = [], terms = [], createdAt, updatedAt }: RecordInput,
  idByLink: IdByLink,
): RecordInput {
  const aliases = terms.flatMap((one) => (one.kind === 'alias' ? [one.term] : []))
  const frontMatter = [...lineOf('tags', tags), ...lineOf('aliases', aliases)].join('\n')
  return {
    ...(id === undefined ? {} : { id }),
    kind: 'note',
    source: 'file',
    ...recordOf({ title: title ?? '', body: body ?? '', rhythm: 'never' }, idByLink, frontMatter),
    metadata: { frontMatter, titleIn: 'heading', ...(updatedAt === undefined ? {} : { importedAt: updatedAt }) },
    ...comingBack('never', 0),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  }
}

function lineOf(key: string, values: readonly string[]): readonly string[] {
  const plain = values.map((value) => value.replaceAll(/[[\],"\n]/g, ' ').trim()).filter((value) => value !== '')
  return plain.length === 0 ? [] : [`${key}: [${plain.join(', ')}]`]
}

function speakerOf({ metadata }: RecordInput): string {
  const role = metadata?.['role']
  if (role === 'user') return 'You'
  return typeof role === 'string' ? role.charAt(0).toUpperCase() + role.slice(1) : ''
}
