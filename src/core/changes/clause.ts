/** What one clause of a short statement says, as far as changes are read from it. */
import type { Slot } from './change-wording.ts'
import type { State } from './states.ts'
import type { Value } from './typed-values.ts'

export interface Clause {
  /** Who says it, folded; `''` if unknown. */
  readonly speaker: string
  /** Whether it is about its writer: "I", "my", "our". */
  readonly isMine: boolean
  /** The pronoun of somebody who is not named: "he", "her", "they"; `''` without one. */
  readonly theirs: string
  /** Stems before the action, and behind it. */
  readonly subject: ReadonlySet<string>
  readonly object: ReadonlySet<string>
  /** Stems written with a capital inside the sentence, or with digits. */
  readonly names: ReadonlySet<string>
  /** What the action says; null for another action, or none. */
  readonly slot: Slot | null
  /** The action's stem; `''` if none is known. */
  readonly action: string
  /** The word that leads what is said: "in", "with", "about"; `''` for none. */
  readonly lead: string
  readonly isPlace: boolean
  /** Every word of place or direction behind the action. */
  readonly leads: ReadonlySet<string>
  /** Of a label: stems of the sentences after what it says. */
  readonly more: ReadonlySet<string>
  /** The label of `Label: value`, whose stems are the subject. */
  readonly isLabel: boolean
  /** Whether the writer is the subject: "I", not "my brother". */
  readonly isSelf: boolean
  /** Of the object: stems behind a word of place or direction. */
  readonly where: ReadonlySet<string>
  /** Stems and values that it takes back: "not 6", "instead of coffee". */
  readonly instead: ReadonlySet<string>
  /** Whether another takes the place of what it names: "changed the password". */
  readonly renews: boolean
  readonly values: readonly Value[]
  /** A state that excludes others of its group: "open", "paid". */
  readonly state: State | null
  readonly denies: boolean
  readonly isNow: boolean
  /** Whether it says that something holds from now on. */
  readonly isOrder: boolean
  /** Whether it says that what was said before was wrong: "on second thought". */
  readonly revises: boolean
  /** Whether it has an action of change. */
  readonly turns: boolean
  /** Whether a person or a thing goes to live elsewhere: "moved to Porto", not "moved the sofa". */
  readonly moves: boolean
  /** Whether anything goes elsewhere. */
  readonly transfers: boolean
  readonly ends: boolean
  /** The word that says that a thing is over or gone for good; `''` without one. */
  readonly endedBy: string
  /** The stem of who is dead, as it says; `''` if no one. */
  readonly died: string
  /** Whether it says that what was looked for is there. */
  readonly finds: boolean
  /** Whether what it says begins with "a": "is a fox". */
  readonly isA: boolean
  readonly adds: boolean
  readonly isPast: boolean
  readonly written: string
}
