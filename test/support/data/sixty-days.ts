/**
 * Simulates sixty days of an agent that asks about one topic a day and reports outcomes: of three records with the
 * same text one always proves right, one proves wrong, and one gets no outcome; one is due each week, one builds up
 * pressure until it is resolved.
 */
import type { Outcome } from '../../../src/core/model/learned.ts'
import { openEngine, startOfTime, type TestEngine } from '../stores/open-engine.ts'
import { createRandom } from './random.ts'

export const dayMs = 86_400_000
export const topics = ['deploy', 'invoice', 'garden', 'travel'] as const
export const kinds = ['right', 'wrong', 'plain'] as const
type Kind = (typeof kinds)[number]

export interface Day {
  readonly day: number
  readonly topic: string
  /** Positions in the package, from 0; −1 for a record that is not in it. */
  readonly places: Readonly<Record<Kind, number>>
  /** Confidence in the evening, of the records of the first topic. */
  readonly confidence: Readonly<Record<Kind, number>>
  /** Ids that surfaced unasked. */
  readonly surfaced: readonly string[]
  readonly shown: readonly string[]
}

export async function liveSixtyDays(): Promise<{ readonly call: TestEngine['call']; readonly days: readonly Day[] }> {
  const { call } = await openEngine()
  await call('put', { batch: records() }, startOfTime)
  const random = createRandom(60)
  const days: Day[] = []
  for (let day = 1; day <= 60; day++) {
    const now = startOfTime + day * dayMs
    const topic = topics[day % topics.length]!
    const query = { cues: { topic }, text: 'notes', maxItems: 8, reserveProactive: 2 }
    const { records: selected, proactive, receipt } = await call('assemble', { query }, now)
    const shown = selected.map(({ id }) => id)
    await call('acknowledge', { of: receipt, outcomes: outcomesOf(shown, random) }, now)
    const kept = await call('get', { ids: kinds.map((kind) => `${topics[0]}-${kind}`) })
    days.push({
      day,
      topic,
      places: ofEach((kind) => shown.indexOf(`${topic}-${kind}`)),
      confidence: ofEach((_kind, i) => kept[i]?.confidence ?? Number.NaN),
      surfaced: proactive.map(({ id }) => id),
      shown,
    })
  }
  return { call, days }
}

function records() {
  return [
    ...topics.flatMap((topic) => [
      { id: `${topic}-right`, body: `${topic} notes alpha` },
      { id: `${topic}-wrong`, body: `${topic} notes bravo` },
      { id: `${topic}-plain`, body: `${topic} notes delta` },
      ...Array.from({ length: 20 }, (_, i) => ({
        id: `${topic}-${i}`,
        body: `${topic} and number ${i} of many other words`,
      })),
    ]),
    // Due on each seventh day, and three days after it was last resolved.
    {
      id: 'weekly',
      body: 'water the plants',
      cycles: [{ periodSeconds: 604_800, amplitude: 0.6, phaseSeconds: startOfTime / 1000 }],
    },
    { id: 'pressing', body: 'call home', pressureRate: 0.2 },
  ]
}

function outcomesOf(shown: readonly string[], random: ReturnType<typeof createRandom>): Record<string, Outcome> {
  const outcomes: Record<string, Outcome> = {}
  for (const id of shown) {
    if (id.endsWith('-right') || id === 'pressing') outcomes[id] = 'acted'
    else if (id.endsWith('-wrong')) outcomes[id] = 'contradicted'
    else if (id !== 'weekly' && random.below(4) === 0) outcomes[id] = random.pick(['used', 'dismissed'] as const)
  }
  return outcomes
}

function ofEach<T>(valueOf: (kind: Kind, i: number) => T): Record<Kind, T> {
  return Object.fromEntries(kinds.map((kind, i) => [kind, valueOf(kind, i)])) as Record<Kind, T>
}
