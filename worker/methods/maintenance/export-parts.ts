/**
 * exportPart, endExport: an export in parts, asked for one after another. The part asked for last may be asked for again; a
 * caller who stays away loses his export to those who come after him.
 */
import { recallError } from '../../../src/core/model/errors.ts'
import type { ExportSession } from '../../store/export/export.ts'
import type { Ports } from '../common/ports.ts'

export interface ExportPartRequest {
  /** Made by the caller, unique for ever. */
  readonly export: string
  /** From 0. */
  readonly part: number
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

/** Exports that may be under way at once. */
const mostOpen = 4

export function createExportParts(ports: Ports) {
  const open = new Map<string, Open>()
  const end = (id: string) => {
    open.get(id)?.session.end()
    open.delete(id)
  }

  return {
    exportPart({ export: id, part }: ExportPartRequest): ExportPart {
      checkName(id, 'export')
      if (part === 0 && !open.has(id)) {
        for (const oldest of [...open.keys()].slice(0, Math.max(0, open.size - mostOpen + 1))) end(oldest)
        open.set(id, {
          session: ports.store.openExport(),
          part: -1,
          answer: { bytes: new Uint8Array(0), isLast: false },
        })
      }
      const found = open.get(id)
      if (found === undefined || (part !== found.part && part !== found.part + 1)) throw lostSession('export')
      if (part === found.part) return found.answer
      try {
        const bytes = found.session.next()
        found.part = part
        found.answer = { bytes: bytes ?? new Uint8Array(0), isLast: bytes === null }
      } catch (error) {
        end(id)
        throw error
      }
      ports.emit({ type: 'progress', operation: 'export', ...found.session.progress() })
      return found.answer
    },
    endExport: ({ export: id }: Pick<ExportPartRequest, 'export'>): void => end(id),
  }
}

/** A tab that took the store over knows nothing of what another one had begun. */
export function lostSession(operation: string) {
  return recallError('LEADER_LOST', `The ${operation} is unknown here: it began in another engine, or it ended`, {
    hint: `Begin the ${operation} again. It changed nothing.`,
  })
}

export function checkName(id: unknown, field: string): void {
  if (typeof id === 'string' && id !== '' && id.length <= 128) return
  throw recallError('INVALID_ARGUMENT', 'must be a name', {
    field,
    value: id,
    hint: 'Give a string of 1 to 128 characters.',
  })
}
