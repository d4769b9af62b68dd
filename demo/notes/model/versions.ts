/** Chooses the earlier versions of a note that are worth showing. Pure. */
import type { StoredVersion } from 'scrubjay'

export interface EarlierVersion {
  /** ms: when the text was replaced. */
  readonly until: number
  readonly title: string
  readonly body: string
}

/**
 * Each pause while typing makes a version. Shown are the last text before the present one, the texts that stood for some time before they were
 * replaced, and of the others some: the older, the fewer. `versions`: the present one first.
 */
export function worthShowing(versions: readonly StoredVersion[], nowMs: number): readonly EarlierVersion[] {
  const shown: EarlierVersion[] = []
  let last = textOf(versions[0])
  let lastFrom = versions[0]?.from ?? nowMs
  for (const version of versions.slice(1)) {
    const until = version.until ?? nowMs
    const one = { until, ...textOf(version) }
    const gapMs = Math.max(leastGapMs, (nowMs - until) / 20)
    const hasStood = version.from === null || until - version.from >= gapMs
    if (isSame(one, last) || isSame(one, { title: '', body: '' })) continue
    if (shown.length > 0 && !hasStood && lastFrom - until < gapMs) continue
    shown.push(one)
    last = one
    lastFrom = version.from ?? Number.NEGATIVE_INFINITY
  }
  return shown
}

const leastGapMs = 20_000

function textOf(version: StoredVersion | undefined): Pick<EarlierVersion, 'title' | 'body'> {
  const { title, body } = version?.record ?? {}
  return { title: title ?? '', body: (body ?? '').replaceAll(/\r\n?/g, '\n') }
}

function isSame(a: Pick<EarlierVersion, 'title' | 'body'>, b: Pick<EarlierVersion, 'title' | 'body'>): boolean {
  return a.title === b.title && a.body === b.body
}
