/** A record as a document of LangChain, and a document as a record. */
import { Document, type DocumentInterface } from '@langchain/core/documents'
import type { Metadata, RecordInput, StoredRecord } from '../core/model/record.ts'

/** The text fields of the record, and as metadata its own metadata and what identifies it. */
export function documentOf({ id, title, summary, instruction, command, body, ...record }: StoredRecord, more: object) {
  const { kind, tags, source, project, session, createdAt, metadata } = record
  const texts = [summary, instruction, command, body].filter((text) => text !== null && text !== '')
  return new Document({
    id,
    pageContent: texts.length === 0 ? (title ?? '') : texts.join('\n'),
    metadata: { ...metadata, scrubjay: { id, title, kind, tags, source, project, session, createdAt, ...more } },
  })
}

export function recordOf({
  id,
  pageContent,
  metadata: { scrubjay: _own, ...metadata },
}: DocumentInterface): RecordInput {
  return {
    ...(id === undefined ? {} : { id }),
    body: pageContent,
    // Metadata of loaders may hold what JSON leaves out.
    metadata: JSON.parse(JSON.stringify(metadata)) as Metadata,
  }
}
