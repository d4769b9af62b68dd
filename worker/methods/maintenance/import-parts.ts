/**
 * importPart, finishImport, endImport: an import in parts. Each part is checked when it arrives. When all parts are valid, one
 * transaction applies the import. An import that is not finished changes nothing.
 */
import { defaultLanguages } from '../../../src/core/model/languages.ts'
import { recallError } from '../../../src/core/model/errors.ts'
import type { ImportReceipt } from '../../../src/core/model/receipts.ts'
import type { RecordInput } from '../../../src/core/model/record.ts'
import type { RequestContext } from '../../../src/protocol/engine-api.ts'
import { adaptImport, type ImportRules } from '../../export-format/adapt-import.ts'
import { createStaging, type StagedImport, type Staging } from '../../export-format/staging.ts'
import { isSameSet } from '../../store/migrations/migration.ts'
import type { ImportConflict, ImportCounts } from '../../store/port/transfer.ts'
import { afterCommit } from '../common/after-commit.ts'
import { inSteps } from '../common/in-steps.ts'
import type { Ports } from '../common/ports.ts'
import { checkName, lostSession } from './export-parts.ts'

export interface ImportPartRequest {
  /** Chosen by the caller; must be unique. */
  readonly import: string
  /** Number of bytes sent before this part. */
  readonly at: number
  readonly bytes: Uint8Array
}

export interface FinishImportRequest {
  readonly import: string
  readonly mode: 'merge' | 'replace'
  /** The highest tier that imported records may have; null: no tier; undefined: as exported. */
  readonly authorityTier?: string | null | undefined
  /** Default: true if the app has a redact function. */
  readonly redact?: boolean | undefined
  readonly learned?: 'keep' | 'drop' | undefined
  /** True: the answer contains both versions of each conflict. */
  readonly withConflicts?: boolean | undefined
}

interface Open {
  readonly staging: Staging
  received: number
}

/** Imports that may be open at the same time: each is in memory until it is applied. */
const mostOpen = 2

export function createImportParts(ports: Ports) {
  const { emit } = ports
  const open = new Map<string, Open>()

  return {
    importPart({ import: id, at, bytes }: ImportPartRequest): void {
      checkName(id, 'import')
      if (!(bytes instanceof Uint8Array)) throw notBytes(bytes)
      if (at === 0 && !open.has(id)) {
        for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size - mostOpen + 1))) open.delete(oldest)
        open.set(id, { staging: createStaging(), received: 0 })
      }
      const found = open.get(id)
      // A repeated part, because its answer was lost.
      if (found !== undefined && found.received === at + bytes.length && bytes.length > 0) return
      if (found === undefined || found.received !== at) throw lostSession('import')
      try {
        found.staging.push(bytes)
      } catch (error) {
        open.delete(id)
        throw error
      }
      found.received += bytes.length
      emit({ type: 'progress', operation: 'import', ...progressOf(found.staging, 0) })
    },

    async finishImport(
      request: FinishImportRequest,
      { now, operation, signal }: RequestContext,
    ): Promise<ImportReceipt & { readonly conflicting?: readonly ImportConflict[] }> {
      const { store, storage } = ports
      const { import: id, mode } = request
      if (mode !== 'merge' && mode !== 'replace') throw noMode(mode)
      const rules = rulesOf(request, ports)
      const known = operation === undefined ? null : store.done(operation)
      if (known !== null)
        return { ...(JSON.parse(known.answer) as Noted), revision: known.revision, durability: storage.durability }
      const found = open.get(id)
      if (found === undefined) throw lostSession('import')
      open.delete(id)
      const tell = (done: number) => emit({ type: 'progress', operation: 'import', ...progressOf(found.staging, done) })
      const adapting = adaptImport(found.staging.end(), rules)
      const staged = await inSteps(ports, adapting, { signal, tell: () => tell(0) })
      const differing = differences(staged, ports)
      if (mode === 'replace' && differing.length > 0) throw otherOptions(differing, staged)
      const receipt = (counts: ImportCounts): Noted => ({ mode, read: staged.records.length, ...counts, differing })
      const note = (made: ImportCounts) =>
        operation === undefined ? [] : [{ operation, at: now, answer: JSON.stringify(receipt(made)) }]
      const steps = store.applyImport({ mode, staged, at: now }, note)
      const { counts, conflicts, committed } = await inSteps(ports, steps, { signal, tell })
      await afterCommit(ports, committed, { erases: mode === 'replace' || counts.removed > 0 })
      if (committed.changed.length === 0 && counts.files > 0)
        emit({ type: 'changed', revision: committed.revision, ids: [] })
      tell(staged.records.length)
      const conflicting = request.withConflicts === true && conflicts.length > 0 ? { conflicting: conflicts } : {}
      return { ...receipt(counts), ...conflicting, revision: committed.revision, durability: storage.durability }
    },

    endImport: ({ import: id }: Pick<ImportPartRequest, 'import'>): void => void open.delete(id),
  }
}

type Noted = Omit<ImportReceipt, 'revision' | 'durability'>

/** Progress: reading is the first half, applying the second. */
function progressOf(staging: Staging, applied: number) {
  const { done, total } = staging.progress()
  return { done: done + applied, total: 2 * total }
}

/** Options that determine what is stored and that differ from the exported store. */
function differences({ header }: StagedImport, { store: { settings } }: Ports): ImportReceipt['differing'] {
  return [
    ...(header.stemmer === settings.stemmer ? [] : (['stemmer'] as const)),
    ...(isSameSet(header.metadataKeys, settings.metadataKeys) ? [] : (['metadataKeys'] as const)),
    ...(isSameSet(languagesOf(header), settings.languages) ? [] : (['languages'] as const)),
  ]
}

function languagesOf({ languages = defaultLanguages }: StagedImport['header']): readonly string[] {
  return languages
}

function otherOptions(differing: readonly string[], { header }: StagedImport) {
  const exported = `stemmer ${JSON.stringify(header.stemmer)}, metadataKeys ${JSON.stringify(header.metadataKeys)}, languages ${JSON.stringify(languagesOf(header))}`
  return recallError('INVALID_CONFIG', `must be as in the exported store: ${exported}`, {
    field: differing[0]!,
    hint: 'Open the store with these options. Or merge: a merge imports the records and keeps the options of the store.',
  })
}

/** Throws for an unknown tier, and for `redact: true` without a redact function. */
function rulesOf(
  { authorityTier, redact, learned = 'keep' }: FinishImportRequest,
  { authority, extensions }: Ports,
): ImportRules {
  if (learned !== 'keep' && learned !== 'drop') {
    throw recallError('INVALID_ARGUMENT', 'must be keep or drop', {
      field: 'learned',
      value: learned,
      hint: 'Give drop to import records without their learned state, or leave it out.',
    })
  }
  if (redact !== undefined && typeof redact !== 'boolean') {
    const hint = 'Give true or false, or leave it out.'
    throw recallError('INVALID_ARGUMENT', 'must be a boolean', { field: 'redact', value: redact, hint })
  }
  if (redact === true && !extensions.redacts) {
    throw recallError('INVALID_CONFIG', 'must be false where the store has no redact function', {
      field: 'redact',
      value: redact,
      hint: 'Open the store with extensions that have redact, or leave redact out.',
    })
  }
  const tiers = authority?.tiers.map(({ id }) => id) ?? []
  if (authorityTier != null && !tiers.includes(authorityTier)) {
    const known = tiers.length === 0 ? 'it has none' : `it has ${tiers.join(', ')}`
    throw recallError('INVALID_ARGUMENT', `must be a tier of this store's authority: ${known}`, {
      field: 'authorityTier',
      value: authorityTier,
      hint: 'Name the highest tier that imported records may have. Give null for no tier. Leave it out to keep the tiers of the records.',
    })
  }
  const redactRecord = redact === false ? (record: RecordInput) => record : extensions.redactRecord
  return { redactRecord, authorityTier, authority, learned }
}

function notBytes(value: unknown) {
  return recallError('INVALID_ARGUMENT', 'must be a Uint8Array', {
    field: 'source',
    value,
    hint: 'Give the bytes of exportTo: a Uint8Array, a Blob, a stream or an async iterable.',
  })
}

function noMode(mode: unknown) {
  return recallError('INVALID_ARGUMENT', 'must be "merge" or "replace"', {
    field: 'mode',
    value: mode,
    hint: 'Give "merge" to add the records, or "replace" to replace the stored ones.',
  })
}
