/**
 * A second implementation of docs/spec/learning.md#learning and #context-packages under `popoto`, from its text: what a memory
 * learns from outcomes, and which records it assembles. Numbers by the platform's own mathematics, links by brute
 * force, no token budget.
 */
import type { Outcome } from '../../../src/core/model/learned.ts'
import { descending } from './oracle-record.ts'
import { dayMs } from './random-store.ts'

export interface Swing {
  readonly periodSeconds: number
  amplitude: number
  readonly phaseSeconds: number
}

export interface Memory {
  readonly id: string
  readonly words: readonly string[]
  readonly tags: readonly string[]
  readonly importance: number
  readonly updatedAt: number
  readonly cycles: Swing[]
  readonly pressureRate: number
  confidence: number
  /** Signals so far. */
  signals: number
  touchedAt: number
  resolvedAt: number | null
  /** Reads that count. */
  reads: number
}

export interface Asked {
  readonly cues: readonly string[]
  readonly tag: string | null
  readonly maxItems: number
  readonly threshold: number
  readonly depth: number
  readonly now: number
}

export interface Assembled {
  readonly ids: readonly string[]
  readonly proactive: readonly string[]
  readonly scores: ReadonlyMap<string, number>
  /** Pulled, and not selected. */
  readonly suppressed: readonly string[]
  /** Two scores that are equal except for rounding: no formula decides which comes first. */
  readonly isUndecided: boolean
}

interface Scored {
  readonly memory: Memory
  readonly score: number
}

export class PopotoOracle {
  readonly memories = new Map<string, Memory>()
  /** By both ids in order, a line break between. */
  readonly links = new Map<string, number>()
  private isUndecided = false

  put(given: Pick<Memory, 'id' | 'words' | 'tags' | 'importance' | 'updatedAt' | 'cycles' | 'pressureRate'>): void {
    this.memories.set(given.id, {
      ...given,
      cycles: given.cycles.map((cycle) => ({ ...cycle, amplitude: counted(cycle.amplitude) })),
      confidence: 0.5,
      signals: 0,
      touchedAt: given.updatedAt,
      resolvedAt: null,
      reads: 0,
    })
  }

  forget(id: string): void {
    this.memories.delete(id)
    for (const pair of this.links.keys()) if (pair.split('\n').includes(id)) this.links.delete(pair)
  }

  link(a: string, b: string, weight: number): void {
    this.links.set(pairOf(a, b), weight)
  }

  assemble({ cues, tag, maxItems, threshold, depth, now }: Asked): Assembled {
    const scope = [...this.memories.values()].filter(({ tags }) => tag === null || tags.includes(tag))
    this.isUndecided = false
    const mightExist = cues.some((cue) => scope.some(({ words }) => words.includes(cue)))
    const pulled = mightExist ? this.pull(scope, maxItems, depth, now) : []
    const due = scope
      .filter(({ cycles, pressureRate }) => cycles.length > 0 || pressureRate > 0)
      .map((memory): Scored => ({ memory, score: decayOf(memory, now) + dueOf(memory, now) }))
      .filter(({ score }) => threshold <= 0 || score >= threshold)
      .sort(byScore)
      .slice(0, maxItems)
      .filter(({ memory }) => !pulled.some((other) => other.memory === memory))
    const selected = [...pulled, ...due].slice(0, maxItems)
    return {
      ids: selected.map(({ memory }) => memory.id),
      proactive: selected.filter((one) => due.includes(one)).map(({ memory }) => memory.id),
      scores: new Map(selected.map(({ memory, score }) => [memory.id, score])),
      suppressed: pulled.filter((one) => !selected.includes(one)).map(({ memory }) => memory.id),
      isUndecided: this.isUndecided,
    }
  }

  /** The effects of returning that answer when they are committed at once: pulled records count as read. */
  commit({ ids, proactive, suppressed }: Assembled): void {
    for (const id of suppressed) this.signal(id, 0.3)
    for (const id of ids) if (!proactive.includes(id)) this.count(id, 1)
  }

  /** The effects of `acknowledge` of that answer, with these outcomes; ids without one are deferred. */
  learn(answer: Assembled, outcomes: Readonly<Record<string, Outcome>>, now: number, isCommitted: boolean): void {
    if (!isCommitted) for (const id of answer.suppressed) this.signal(id, 0.3)
    for (const id of answer.ids) {
      const confirms = ['acted', 'used'].includes(outcomes[id] ?? 'deferred')
      const isCounted = isCommitted && !answer.proactive.includes(id)
      if (confirms !== isCounted) this.count(id, confirms ? 1 : -1)
    }
    for (const [id, outcome] of Object.entries(outcomes)) {
      const memory = this.memories.get(id)
      if (memory === undefined) continue
      const factor = { acted: 1.2, used: 1, dismissed: 0.8, deferred: 1, contradicted: 0.5 }[outcome]
      for (const cycle of memory.cycles) cycle.amplitude = counted(cycle.amplitude * factor)
      if (outcome === 'acted') {
        memory.touchedAt = now
        memory.resolvedAt = now
        this.signal(id, 0.9)
      }
      if (outcome === 'contradicted') {
        this.signal(id, 0.1)
        if (memory.confidence <= 0.1 + 1e-9) memory.resolvedAt = now
      }
    }
  }

  private count(id: string, reads: number): void {
    const memory = this.memories.get(id)
    if (memory !== undefined) memory.reads += reads
  }

  private signal(id: string, s: number): void {
    const memory = this.memories.get(id)
    if (memory === undefined) return
    const c = memory.confidence + (s - memory.confidence) / (Math.min(memory.signals + 1, 20) + 1)
    memory.confidence = Math.min(1, Math.max(0, c))
    memory.signals++
  }

  /** Every record of the scope by its score; then once more, with the shares that the first ones pass on. */
  private pull(scope: readonly Memory[], maxItems: number, depth: number, now: number): readonly Scored[] {
    const ranked = (passed: ReadonlyMap<string, number>) => {
      const all = scope
        .map((memory): Scored => {
          const score = 0.6 * decayOf(memory, now) + 0.3 * memory.confidence + (passed.get(memory.id) ?? 0)
          return { memory, score }
        })
        .sort(byScore)
      if (all.some((one, i) => i > 0 && isUndecided(all[i - 1]!, one))) this.isUndecided = true
      return all.slice(0, 2 * maxItems)
    }
    const seeds = ranked(new Map()).slice(0, maxItems)
    return ranked(
      this.propagate(
        seeds.map(({ memory }) => memory.id),
        depth,
      ),
    )
  }

  /**
   * Over every walk of at most `depth` links: half the weight per step, nothing below 0.01, the maximum that reaches a
   * record.
   */
  private propagate(seeds: readonly string[], depth: number): ReadonlyMap<string, number> {
    const reached = new Map<string, number>()
    const walk = (id: string, strength: number, left: number) => {
      if (left === 0) return
      for (const [pair, weight] of this.links) {
        const [a, b] = pair.split('\n') as [string, string]
        if (a !== id && b !== id) continue
        const other = a === id ? b : a
        const passed = strength * 0.5 * weight
        if (passed < 0.01 || seeds.includes(other)) continue
        reached.set(other, Math.max(reached.get(other) ?? 0, passed))
        walk(other, passed, left - 1)
      }
    }
    for (const seed of seeds) walk(seed, 1, depth)
    return reached
  }
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`
}

/** Equal except for rounding: also scores that came out equal from different numbers. */
function isUndecided(a: Scored, b: Scored): boolean {
  const gap = a.score - b.score
  return gap < 1e-12 && (gap > 0 || a.memory.confidence !== b.memory.confidence)
}

function byScore(a: Scored, b: Scored): number {
  return descending([a.score, a.memory.updatedAt, a.memory.id], [b.score, b.memory.updatedAt, b.memory.id])
}

function decayOf({ importance, touchedAt, confidence }: Memory, now: number): number {
  const age = Math.max((now - touchedAt) / dayMs, 0.01)
  const rate = 0.1
  const effective = rate * 2 ** (2 * 0.5 * (0.5 - confidence))
  return Math.sign(importance) * Math.abs(importance) * age ** -rate * Math.max(age, 1) ** -(effective - rate)
}

function dueOf({ cycles, pressureRate, resolvedAt, touchedAt }: Memory, now: number): number {
  const boosts = cycles.map(
    ({ periodSeconds, amplitude, phaseSeconds }) =>
      // Whole turns are subtracted first; otherwise the platform's cosine of 10⁶ turns is off by more than the
      // comparison allows.
      amplitude * Math.cos((2 * Math.PI * ((now / 1000 - phaseSeconds) % periodSeconds)) / periodSeconds),
  )
  const sinceResolved = Math.max(0, now - (resolvedAt ?? touchedAt)) / dayMs
  return boosts.reduce((sum, boost) => sum + boost, 0) + pressureRate * sinceResolved
}

function counted(amplitude: number): number {
  return amplitude < 0.01 ? 0 : Math.min(amplitude, 100)
}
