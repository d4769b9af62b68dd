/** Composes what is merged into a store: versions of other devices that it has not, in the form of an export. */
import { tombstoneMark } from '../core/merge/tombstone-mark.ts'
import { canonicalJson } from '../core/text/hash/canonical.ts'
import { inOrder, learnedFields, learnedOf, type RecordFrames, type Snapshot, versionOf } from './snapshot.ts'

/** Null if the store has all of it. */
export function compose(own: Snapshot, given: readonly Snapshot[]): Snapshot | null {
  const theirs = new Map<string, RecordFrames>()
  const files = new Map<string, object>()
  const tombstones = new Map<string, object>()
  for (const snapshot of given) {
    for (const [id, frames] of snapshot.records) if (isNews(frames, own, id)) theirs.set(id, frames)
    for (const [path, file] of snapshot.files)
      if (canonicalJson(file) !== canonicalJson(own.files.get(path) ?? null)) files.set(path, file)
    for (const [mark, tombstone] of snapshot.tombstones)
      if (canonicalJson(tombstone) !== canonicalJson(own.tombstones.get(mark) ?? null)) tombstones.set(mark, tombstone)
  }
  if (theirs.size + files.size + tombstones.size === 0) return null
  const records = new Map<string, RecordFrames>()
  for (const [id, frames] of theirs) records.set(id, withOwn(frames, own.records.get(id)))
  // An import must contain both ends of a link.
  for (const { block } of theirs.values())
    for (const id of othersOf(block)) {
      const frames = own.records.get(id)
      if (!records.has(id) && frames !== undefined) records.set(id, { ...frames, block: withoutLearned(frames.block) })
    }
  const known = new Map(inOrder(records).map(([id, frames]) => [id, withLinksTo(frames, records)]))
  return { header: own.header, records: known, files, tombstones }
}

function isNews({ block }: RecordFrames, own: Snapshot, id: string): boolean {
  const stored = own.records.get(id)?.block
  if (stored === undefined) {
    const tombstone = own.tombstones.get(tombstoneMark(id)) as { readonly life?: number } | undefined
    return tombstone === undefined || (tombstone.life ?? 0) < (block.life ?? 0)
  }
  return versionOf(stored) !== versionOf(block) || canonicalJson(learnedOf(stored)) !== canonicalJson(learnedOf(block))
}

/** Their version with what they have learned. Of the same version the content stays as it is here. */
function withOwn({ block, vectors }: RecordFrames, stored: RecordFrames | undefined): RecordFrames {
  if (stored === undefined || versionOf(stored.block) !== versionOf(block)) return { block, vectors }
  const learned = learnedFields.flatMap((field) => (block[field] === undefined ? [] : [[field, block[field]] as const]))
  return { block: { ...withoutLearned(stored.block), ...Object.fromEntries(learned) }, vectors: stored.vectors }
}

function withoutLearned(block: RecordFrames['block']): RecordFrames['block'] {
  const {
    links: _links,
    reports: _reports,
    predictions: _predictions,
    proposals: _proposals,
    contradictions: _pairs,
    ...rest
  } = block
  return rest
}

function othersOf({ links = [], contradictions = [] }: RecordFrames['block']): readonly string[] {
  return [...links.map(({ id }) => id), ...contradictions.map(({ id }) => id)]
}

function withLinksTo({ block, vectors }: RecordFrames, known: ReadonlyMap<string, unknown>): RecordFrames {
  const { links = [], contradictions = [], ...rest } = block
  const ends = links.filter(({ id }) => known.has(id))
  const pairs = contradictions.filter(({ id }) => known.has(id))
  return {
    block: {
      ...rest,
      ...(ends.length > 0 ? { links: ends } : {}),
      ...(pairs.length > 0 ? { contradictions: pairs } : {}),
    },
    vectors,
  }
}
