/** Chooses the hits that are shown at once. */
import type { Hit } from 'scrubjay'

/** Hits below this share of the best score are only loosely related. */
const minShare = 0.15

/** The first hit, and all that are not far behind the best one. */
export function nearHits(hits: readonly Hit[]): readonly Hit[] {
  const best = Math.max(0, ...hits.map(({ score }) => score))
  return hits.filter(({ score }, place) => place === 0 || score >= best * minShare)
}
