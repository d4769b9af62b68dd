/**
 * Parses the lists of a record: tags, files, terms, anchors, relations, cycles. Declared entries come before extracted ones, and
 * each entry occurs once.
 */
import type { Anchor, Cycle, RelationRow, StoredFile, StoredTerm, TermReference } from '../model/record.ts'
import { tuning } from '../model/tuning.ts'
import type { extractTerms } from '../text/extract/extract.ts'
import {
  optionalBoolean,
  optionalNumber,
  optionalString,
  parseList,
  parseObject,
  parseTimestamp,
  refuse,
  requiredString,
} from './parse-fields.ts'

type Given = Readonly<Record<string, unknown>>

export function parseTags(given: Given): readonly string[] {
  const tags = parseList(given.tags, 'tags', tuning.maxTags, (tag, field) =>
    requiredString(tag, field, tuning.maxTagLength),
  )
  return [...new Set(tags)]
}

export function parseFiles(given: Given): readonly StoredFile[] {
  const files = parseList(given.files, 'files', tuning.maxFiles, (entry, field) => {
    const file = parseObject(entry, field, fileFields)
    return {
      path: requiredString(file.path, `${field}.path`, 4096).replaceAll('\\', '/'),
      sha256: optionalString(file, 'sha256', { maxLength: 128, at: field }),
      mtime: parseTimestamp(file, 'mtime', field),
      existed: optionalBoolean(file, 'existed', field) ?? true,
      git: optionalString(file, 'git', { maxLength: 16, at: field }),
      declared: optionalBoolean(file, 'declared', field) ?? true,
    }
  })
  // A stored record that is put again contains extracted references; extraction finds them again.
  return files.filter((file) => file.declared)
}

const fileFields: ReadonlySet<string> = new Set(['path', 'sha256', 'mtime', 'existed', 'git', 'declared'])

export function parseTerms(given: Given): readonly TermReference[] {
  const terms = parseList(given.terms, 'terms', tuning.maxTerms, (entry, field) => {
    const term = parseObject(entry, field, new Set(['term', 'kind', 'declared']))
    return {
      term: requiredString(term.term, `${field}.term`, 1024),
      kind: requiredString(term.kind, `${field}.kind`, tuning.maxTagLength),
      declared: optionalBoolean(term, 'declared', field) ?? true,
    }
  })
  return terms.filter((entry) => entry.declared)
}

export function parseAnchors(given: Given): readonly Anchor[] {
  return parseList(given.anchors, 'anchors', tuning.maxAnchors, (entry, field) => {
    const anchor = parseObject(entry, field, new Set(['id', 'path', 'kind']))
    return {
      id: requiredString(anchor.id, `${field}.id`, tuning.maxIdLength),
      path: requiredString(anchor.path, `${field}.path`, 4096),
      kind: requiredString(anchor.kind, `${field}.kind`, tuning.maxTagLength),
    }
  })
}

export function parseRelations(given: Given): readonly RelationRow[] {
  return parseList(given.relations, 'relations', tuning.maxRelations, (entry, field) => {
    const relation = parseObject(entry, field, new Set(['kind', 'target']))
    return {
      kind: requiredString(relation.kind, `${field}.kind`, tuning.maxTagLength),
      target: requiredString(relation.target, `${field}.target`, tuning.maxIdLength),
    }
  })
}

export function parseCycles(given: Given): readonly Cycle[] {
  return parseList(given.cycles, 'cycles', tuning.maxCycles, (entry, field) => {
    const cycle = parseObject(entry, field, new Set(['periodSeconds', 'amplitude', 'phaseSeconds']))
    const number = (name: string, bounds: { min: number; max: number }) => {
      const value = optionalNumber(cycle, name, bounds, field)
      if (value === null)
        throw refuse(`${field}.${name}`, undefined, 'is required', 'Give periodSeconds, amplitude and phaseSeconds.')
      return value
    }
    return {
      periodSeconds: number('periodSeconds', { min: tuning.minCycleSeconds, max: 1e12 }),
      amplitude: number('amplitude', { min: 0, max: tuning.maxAmplitude }),
      phaseSeconds: number('phaseSeconds', { min: -1e13, max: 1e13 }),
    }
  })
}

type Extracted = ReturnType<typeof extractTerms>

/** Declared references first; an extracted path that was also declared is left out. */
export function mergeFiles(declared: readonly StoredFile[], extracted: Extracted): readonly StoredFile[] {
  const known = new Set(declared.map((file) => file.path))
  const found = extracted.filter((entry) => entry.kind === 'path').map((entry) => entry.term.replaceAll('\\', '/'))
  const added = [...new Set(found)].filter((path) => !known.has(path)).slice(0, tuning.maxExtracted)
  return [
    ...declared,
    ...added.map((path) => ({ path, sha256: null, mtime: null, existed: true, git: null, declared: false })),
  ]
}

export function mergeTerms(declared: readonly TermReference[], extracted: Extracted): readonly StoredTerm[] {
  const known = new Set(declared.map((entry) => `${entry.kind} ${entry.term}`))
  const added = extracted
    .filter((entry) => entry.kind !== 'path' && !known.has(`${entry.kind} ${entry.term}`))
    .slice(0, tuning.maxExtracted)
  return [
    ...declared.map((entry) => ({ ...entry, declared: true })),
    ...added.map((entry) => ({ ...entry, declared: false })),
  ]
}
