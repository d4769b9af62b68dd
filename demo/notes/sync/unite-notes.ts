/**
 * Unites two versions of a note that two devices changed apart. Without a common base, no line is dropped: where the texts differ, the
 * lines of both are kept, the older ones first. Pure, and the same on both devices.
 */
import type { RecordInput } from 'scrubjay'
import { fileFactsOf, keepPin } from '../model/front-matter.ts'
import { pinTag, tagsIn } from '../model/note.ts'

export function uniteNotes(mine: RecordInput, theirs: RecordInput): RecordInput {
  const [older, newer] = isOlder(mine, theirs) ? [mine, theirs] : [theirs, mine]
  const body = uniteLines(older.body ?? '', newer.body ?? '')
  const relations = [...(newer.relations ?? []), ...(older.relations ?? [])]
  const targets = new Map(relations.toReversed().map((relation) => [`${relation.kind} ${relation.target}`, relation]))
  const tags = [
    ...new Set([...tagsIn(`${newer.title ?? ''}\n${body}`), ...(newer.tags ?? []), ...(older.tags ?? [])]),
  ].slice(0, 256)
  const { metadata } = newer
  const frontMatter = keepPin(fileFactsOf(metadata).frontMatter, tags.includes(pinTag))
  return {
    ...newer,
    ...(frontMatter === '' ? {} : { metadata: { ...metadata, frontMatter } }),
    body: body.trim() === '' ? null : body,
    tags,
    relations: [...targets.values()].slice(0, 256),
  }
}

/** Keeps what begins and ends both texts once. */
export function uniteLines(older: string, newer: string): string {
  const [before, after] = [older.split('\n'), newer.split('\n')]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++
  const old = before.slice(start, before.length - same)
  const kept = new Set(old)
  const added = after.slice(start, after.length - same).filter((line) => line.trim() === '' || !kept.has(line))
  return [...before.slice(0, start), ...old, ...added, ...before.slice(before.length - same)].join('\n')
}

function isOlder(a: RecordInput, b: RecordInput): boolean {
  const [aMs, bMs] = [a.updatedAt ?? 0, b.updatedAt ?? 0]
  if (aMs !== bMs) return aMs < bMs
  const [aText, bText] = [a, b].map(({ title, body }) => `${title ?? ''}\n${body ?? ''}`)
  return (aText ?? '') < (bText ?? '')
}
