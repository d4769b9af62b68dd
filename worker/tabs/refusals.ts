/**
 * The errors of a tab: the leader has other options or another embedding space, does not answer, or runs a newer release; or
 * the store is closed.
 */
import { type RecallError, recallError } from '../../src/core/model/errors.ts'
import { protocolVersion } from '../../src/protocol/handshake.ts'
import { isSameSet } from '../store/migrations/migration.ts'
import { configHash } from './config-hash.ts'
import type { TabMessage } from './messages.ts'
import type { TabOptions } from './port.ts'

/** What shares a store: tabs, or the processes that have its file open. */
export type Place = 'tab' | 'process'

export function placeOf({ storage }: Pick<TabOptions, 'storage'>): Place {
  return storage === 'file' ? 'process' : 'tab'
}

const endOthers = { tab: 'Reload or close the other tabs', process: 'End the other processes' } as const

/** Why a tab with these options cannot follow this leader; null if it can. */
export function refusalOf(lead: TabMessage & { readonly type: 'lead' }, options: TabOptions) {
  const { name, space, storage, authority, retention, autoLink, history, embedderFailure, extensions, lock } = options
  const place = placeOf(options)
  if (lead.isLocked && lock === undefined) {
    return recallError('LOCKED', `The store is locked, and another ${place} has it open`, {
      value: name,
      hint: 'Open it with the option lock: a passphrase or key that was set for it.',
    })
  }
  const { stemmer = lead.stemmer, metadataKeys = lead.metadataKeys, languages = lead.languages } = options
  if (lead.space !== (space?.name ?? null) || lead.dimensions !== (space?.dimensions ?? null)) {
    return recallError(
      'SPACE_MISMATCH',
      `must fit the store ${JSON.stringify(name)}, which another ${place} has open with ${spaceOf(lead)}`,
      {
        field: 'embedder',
        value: space?.name ?? null,
        hint: `${endOthers[place]}, or open the store with the same embedder. Vectors of two models are never mixed.`,
      },
    )
  }
  const differing = [
    lead.authority === configHash(authority) ? null : 'authority',
    lead.retention === configHash(retention) ? null : 'retention',
    lead.stemmer === stemmer ? null : 'stemmer',
    isSameSet(lead.metadataKeys, metadataKeys) ? null : 'metadataKeys',
    isSameSet(lead.languages, languages) ? null : 'languages',
    lead.autoLink === autoLink ? null : 'autoLink',
    lead.embedderFailure === (embedderFailure ?? 'store-without') ? null : 'embedderFailure',
    lead.history === (history === true) ? null : 'history',
    lead.isLocked === (lock !== undefined) ? null : 'lock',
    lead.extensions === (extensions ?? null) ? null : 'extensions',
  ].find((field) => field !== null)
  if (differing !== undefined) {
    return recallError(
      'INVALID_CONFIG',
      `must be as in the other ${place} that has the store ${JSON.stringify(name)} open`,
      {
        field: differing,
        hint: `${endOthers[place]}, or open the store with the same option.`,
      },
    )
  }
  if (storage === 'auto' || storage === lead.backend) return null
  return recallError(
    'INVALID_CONFIG',
    `must be ${lead.backend}, in which another tab has the store ${JSON.stringify(name)} open`,
    {
      field: 'storage',
      value: storage,
      hint: 'Close the other tabs first, or give the same option.',
    },
  )
}

function spaceOf({ space, dimensions }: TabMessage & { readonly type: 'lead' }): string {
  return space === null ? 'no embedding space' : `the embedding space ${space} of ${dimensions} dimensions`
}

/** `holder`: the process that has the store, if known. */
export function storeBusy({ name, storage }: TabOptions, holder?: string | null): RecallError {
  const place = placeOf({ storage })
  const problem = `${holder ?? `Another ${place}`} has the store ${JSON.stringify(name)} and does not answer`
  return recallError('STORE_BUSY', problem, {
    hint:
      place === 'tab'
        ? 'Close or reload the other tabs of this app, then try again.'
        : 'End that process, then try again.',
  })
}

export function outdated(version: number, options: TabOptions): RecallError {
  const place = placeOf(options)
  const problem = `must be at most ${protocolVersion} here, but a newer release in another ${place} has the store now`
  const hint = place === 'tab' ? 'Reload this page.' : 'Start this process again with the newer release.'
  return recallError('VERSION_SKEW', problem, { field: 'version', value: version, hint })
}
