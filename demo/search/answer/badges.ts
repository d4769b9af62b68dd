/**
 * Makes the badges of a hit: its previous place, its freshness, its risks and reasons. Each badge has words; colour and
 * mark only repeat them.
 */
import { type Hit, reasonCodes, riskFlags, type StoredRecord } from 'scrubjay'
import { make } from '../../shared/parts.ts'
import type { Before } from './search.ts'

type Tone = 'plain' | 'good' | 'warn' | 'bad'

/** The place of the hit under the previous policy; null without one. `place` counts from 1. */
export function movedBadge(id: string, place: number, before: Before | null): HTMLElement | null {
  if (before === null) return null
  const previous = before.ids.indexOf(id) + 1
  const mark = previous === 0 ? '+' : previous > place ? '↑' : previous < place ? '↓' : '='
  const label =
    previous === 0
      ? badge('plain', mark, 'new here', `Not among the first ${before.ids.length} under ${before.policy}`)
      : badge('plain', mark, `was ${previous}`, `Place ${previous} under ${before.policy}, ${place} now`)
  label.classList.add('moved')
  return label
}

export function freshnessBadge({ freshness }: Hit): HTMLElement | null {
  const words = freshnessWords[freshness]
  return words === null ? null : badge(...words)
}

const freshnessWords: Readonly<Record<Hit['freshness'], readonly [Tone, string, string, string] | null>> = {
  fresh: ['good', '✓', 'fresh', 'Every file it mentions is unchanged since the record was written'],
  stale_changed: ['warn', '△', 'file changed', 'A file it mentions has changed since the record was written'],
  stale_deleted: ['bad', '✕', 'file gone', 'A file it mentions no longer exists'],
  unknown: [
    'plain',
    '?',
    'not checked',
    'The current state of its files is unknown: choose their folder under “Your files”',
  ],
  // The record mentions no file.
  unverifiable: null,
}

export function riskBadges({ risks }: StoredRecord): HTMLElement[] {
  return risks.map(({ flag, severity }) => {
    const [tone, mark] = severityLooks[severity]
    const title = `Risk ${flag}, severity ${severity}: ${severityMeanings[severity]}`
    return badge(tone, mark, `${severity}: ${inWords(flag)}`, title)
  })
}

const severityLooks = { info: ['plain', 'i'], warn: ['warn', '!'], block: ['bad', '■'] } as const

const severityMeanings: Readonly<Record<(typeof riskFlags)[keyof typeof riskFlags]['severity'], string>> = {
  info: 'good to know',
  warn: 'check it before you rely on it',
  block: 'flagged, but not left out; the reader decides',
}

export function reasonBadges({ reasons }: StoredRecord): HTMLElement[] {
  return reasons.map(({ code, weight }) => {
    const known = Object.hasOwn(reasonCodes, code) ? reasonCodes[code as keyof typeof reasonCodes] : undefined
    const direction = (known?.weight ?? 0) < 0 ? 'against' : 'for'
    const title = `Reason ${code}, counts ${direction} it: weight ${weight} here, ${known?.weight ?? 0} in the registry (${known?.category ?? 'unknown'})`
    return badge('plain', direction === 'for' ? '+' : '−', `${inWords(code)} ${weight}`, title)
  })
}

function badge(tone: Tone, mark: string, text: string, title: string): HTMLElement {
  return make(
    'span',
    { class: 'badge note-badge', 'data-tone': tone, title },
    make('span', { class: 'badge-mark', 'aria-hidden': 'true' }, mark),
    text,
  )
}

function inWords(code: string): string {
  return code.replaceAll('_', ' ')
}
