/** One message of a conversation as a record. */
import type { Metadata, RecordInput, RelationRow } from '../../core/model/record.ts'

export interface Turn {
  /** Id of the conversation, with the name of its app. */
  readonly session: string
  readonly title: string | null
  readonly id: string
  readonly position: number
  readonly role: string
  readonly text: string
  readonly time: number | undefined
  readonly kind?: 'turn' | 'tool' | 'attachment' | 'memory'
  readonly relations?: readonly RelationRow[]
  readonly metadata?: Metadata
}

export function turnRecord(turn: Turn): RecordInput {
  const { session, title, id, position, role, text, time, kind = 'turn', relations = [], metadata } = turn
  return {
    id: `${session}/${id}`,
    kind,
    ...(title === null || title === '' ? {} : { title }),
    body: text,
    session: session.slice(0, 512),
    position,
    source: session,
    ...(time === undefined ? {} : { createdAt: time, updatedAt: time }),
    ...(relations.length === 0 ? {} : { relations }),
    metadata: { role, ...metadata },
  }
}
