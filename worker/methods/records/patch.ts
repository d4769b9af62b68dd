/** patch: replaces some of the stored caller's fields, then puts the record in the same turn of the write queue. */
import { type ParsedRecord, parseRecord } from '../../../src/core/ingest/parse-record.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import { isPlainObject } from '../../../src/core/model/plain-object.ts'
import type { RecordInput, StoredRecord } from '../../../src/core/model/record.ts'
import type { Store } from '../../store/port/store.ts'
import type { Ports } from '../common/ports.ts'
import { withOwnTier } from './own-tier.ts'

/**
 * The parsed record that a patch puts. It keeps its own tier, which an import may have limited below that of its bank,
 * unless the patch changes tier, bank or profile.
 */
export function parsePatched(
  { store, extensions, authority }: Ports,
  id: string,
  fields: Partial<RecordInput>,
): ParsedRecord {
  const record = parseRecord(extensions.redactRecord(patched(store, id, fields)))
  const decidesTier = [fields.authorityTier, fields.bank, fields.profile].some((value) => value !== undefined)
  return decidesTier ? withOwnTier(record, authority) : record
}

/** The record that a patch puts. Throws if the id is not stored or the fields change it. */
export function patched(store: Store, id: string, fields: Partial<RecordInput>): RecordInput {
  if (!isPlainObject(fields))
    throw recallError('INVALID_ARGUMENT', 'must be an object', {
      field: 'fields',
      value: fields,
      hint: 'Give the fields to replace.',
    })
  if (typeof id !== 'string')
    throw recallError('INVALID_ARGUMENT', 'must be a string', {
      field: 'id',
      value: id,
      hint: 'Give the id of a record.',
    })
  const [stored] = store.get([id])
  if (stored === undefined)
    throw recallError('INVALID_ARGUMENT', 'must be the id of a stored record', {
      field: 'id',
      value: id,
      hint: 'Put the record first.',
    })
  if (fields.id !== undefined && fields.id !== id) {
    throw recallError('INVALID_ARGUMENT', 'must stay the same', {
      field: 'fields.id',
      value: fields.id,
      hint: 'Put a new record, then forget this one.',
    })
  }
  const changes = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The cycles of the caller, not the stored ones: their learned amplitudes would become input.
  const cycles = stored.cycles.length === 0 ? [] : store.learning.givenCycles(store.keyOf(id) ?? -1)
  // The own tier: a source may have lowered the effective one.
  const authorityTier = store.ownTier(id)
  return { ...asInput(stored), cycles, authorityTier, ...Object.fromEntries(changes), id }
}

/** The caller's fields, without derived and learned ones. */
function asInput(stored: StoredRecord): RecordInput {
  const {
    contentHash: _hash,
    createdAt: _created,
    updatedAt: _updated,
    confidence: _learned,
    terms,
    risks,
    ...fields
  } = stored
  return {
    ...fields,
    files: stored.files.filter((file) => file.declared).map(({ declared: _declared, ...file }) => file),
    terms: terms.filter((entry) => entry.declared).map(({ term, kind }) => ({ term, kind })),
    risks: risks.map(({ flag }) => ({ flag })),
  }
}
