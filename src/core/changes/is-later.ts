/** Which of two records was stated later: by when it happened, else when it was created, changed, or its place in one session. */

export interface Stated {
  readonly occurredAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly session: string | null
  readonly position: number | null
}

/** False for two of one time: then neither replaces the other. */
export function isLater(a: Stated, b: Stated): boolean {
  const [atA, atB] = [a.occurredAt ?? a.createdAt, b.occurredAt ?? b.createdAt]
  if (atA !== atB) return atA > atB
  if (a.session !== null && a.session === b.session && a.position !== b.position)
    return (a.position ?? 0) > (b.position ?? 0)
  return a.updatedAt > b.updatedAt
}
