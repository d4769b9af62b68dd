/**
 * exportPart, endExport: an export in parts, requested in order. The last part may be requested again. If more than four
 * exports are open, the oldest ends.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import { notLockedYet } from '../../lock/not-locked.ts'
import type { ExportSession } from '../../store/port/transfer.ts'
import type { Ports } from '../common/ports.ts'

export interface ExportPartRequest {
  /** Chosen by the caller; must be unique. */
  readonly export: string
  /** From 0. */
  readonly part: number
  /** True is refused: the ciphers' file answers for a locked store. */
  readonly encrypted?: boolean | undefined
}

export interface ExportPart {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isLast: boolean
}

interface Open {
  readonly session: ExportSession
  part: number
  answer: ExportPart
}

/** Exports that may be open at the same time. */
const mostOpen = 4

export function createExportParts(ports: Ports) {
  const open = new Map<string, Open>()
  const end = (id: string) => {
    open.get(id)?.session.end()
    open.delete(id)
  }

  return {
    exportPart({ export: id, part, encrypted = false }: ExportPartRequest): ExportPart {
      checkName(id, 'export')
      if (encrypted !== false) throw notEncrypted(encrypted, ports.options.name)
      if (part === 0 && !open.has(id)) {
        for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size - mostOpen + 1))) end(oldest)
        open.set(id, {
          session: ports.store.openExport(),
          part: -1,
          answer: { bytes: new Uint8Array(0), isLast: false },
        })
      }
      const current = open.get(id)
      if (current === undefined || (part !== current.part && part !== current.part + 1)) throw lostSession('export')
      if (part === current.part) return current.answer
      try {
        const bytes = current.session.next()
        current.part = part
        current.answer = { bytes: bytes ?? new Uint8Array(0), isLast: bytes === null }
      } catch (error) {
        end(id)
        throw error
      }
      ports.emit({ type: 'progress', operation: 'export', ...current.session.progress() })
      return current.answer
    },
    endExport: ({ export: id }: Pick<ExportPartRequest, 'export'>): void => end(id),
  }
}

function notEncrypted(given: unknown, place: string) {
  if (given === true) return notLockedYet(place)
  return recallError('INVALID_ARGUMENT', 'must be true or false', {
    field: 'encrypted',
    value: given,
    hint: 'Leave it out: exports of locked stores are encrypted.',
  })
}

/** The error for an unknown export or import. After a change of leader, the new leader does not know those of the old one. */
export function lostSession(operation: string) {
  return recallError(
    'LEADER_LOST',
    `The ${operation} is unknown to this engine: it began in another one, or it ended`,
    {
      hint: `Begin the ${operation} again. It changed nothing.`,
    },
  )
}

export function checkName(id: unknown, field: string): void {
  if (typeof id === 'string' && id !== '' && id.length <= 128) return
  throw recallError('INVALID_ARGUMENT', 'must be a string of 1 to 128 characters', {
    field,
    value: id,
    hint: 'Give each export and import a different id.',
  })
}
