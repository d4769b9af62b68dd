/**
 * The conditions in which the ten tasks of each app are done: by keyboard or pointer, on a narrow or a wide screen, light or dark, at
 * 200 % zoom, on a slow processor. Four runs have each pair of hand, width and scheme.
 */

export interface Condition {
  readonly name: string
  readonly hand: 'keyboard' | 'pointer'
  /** CSS pixels. 1,440 × 900 at 200 % are 720 × 450. */
  readonly width: number
  readonly height: number
  readonly dark: boolean
  /** How many times slower the processor is. */
  readonly slowness: number
  /** The columns of the table that this run fills. */
  readonly traits: readonly Trait[]
}

export const traits = ['keyboard', 'pointer', '360 px', '1,440 px', 'dark', 'light', '200 %', 'slow'] as const
export type Trait = (typeof traits)[number]

export const conditions: readonly Condition[] = [
  {
    name: 'keyboard-360-light',
    hand: 'keyboard',
    width: 360,
    height: 740,
    dark: false,
    slowness: 1,
    traits: ['keyboard', '360 px', 'light'],
  },
  {
    name: 'pointer-1440-light',
    hand: 'pointer',
    width: 1440,
    height: 900,
    dark: false,
    slowness: 1,
    traits: ['pointer', '1,440 px', 'light'],
  },
  {
    name: 'keyboard-1440-dark-zoomed',
    hand: 'keyboard',
    width: 720,
    height: 450,
    dark: true,
    slowness: 1,
    traits: ['keyboard', '1,440 px', 'dark', '200 %'],
  },
  {
    name: 'pointer-360-dark-slow',
    hand: 'pointer',
    width: 360,
    height: 740,
    dark: true,
    slowness: 4,
    traits: ['pointer', '360 px', 'dark', 'slow'],
  },
]
