/** Reads the command line of the bench: sizes, parts, path of the results. Refuses unknown options. */
import { parseArgs } from 'node:util'
import { type PeerName, peerNames } from './page/peer-table.ts'

export const parts = ['put', 'open', 'recall', 'policies', 'in-use', 'change', 'peers', 'quality'] as const
export type Part = (typeof parts)[number]

export interface BenchOptions {
  /** 10,000 records only, fewer questions, and an exit code that says whether the ratios hold. */
  readonly quick: boolean
  readonly parts: ReadonlySet<Part>
  /** Records per store; descending runs keep the larger for the end. */
  readonly sizes: readonly number[]
  /** The path of the JSON; null: a new temporary file. */
  readonly out: string | null
  /** Measure the existing dist/, however old. */
  readonly built: boolean
  readonly browser: 'chromium' | 'firefox'
  readonly peers: readonly PeerName[]
  /** Draw the tables of the documentation instead of measuring. */
  readonly plot: boolean
}

/** Throws an error fit to print when an option is unknown or malformed. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      sizes: { type: 'string' },
      out: { type: 'string' },
      'no-build': { type: 'boolean', default: false },
      browser: { type: 'string', default: 'chromium' },
      peers: { type: 'string' },
      plot: { type: 'boolean', default: false },
    },
  })
  const usual = values.quick ? parts.filter((part) => !unguarded.has(part)) : parts
  const defaultSizes = values.quick ? '10000' : '10000,100000'
  return {
    quick: values.quick,
    parts: new Set(values.only === undefined ? usual : values.only.split(',').map(toPart)),
    sizes: (values.sizes ?? defaultSizes).split(',').map(toSize),
    out: values.out ?? null,
    built: values['no-build'],
    browser: toBrowser(values.browser),
    // A quick run asks only the peers of its guards.
    peers: values.peers?.split(',').map(toPeer) ?? (values.quick ? ['minisearch-content', 'orama-content'] : peerNames),
    plot: values.plot,
  }
}

/** No guard of a quick run covers them. */
const unguarded: ReadonlySet<Part> = new Set(['policies', 'in-use', 'change'])

function toBrowser(name: string): BenchOptions['browser'] {
  if (name === 'chromium' || name === 'firefox') return name
  throw new Error(`--browser knows chromium and firefox, not ${JSON.stringify(name)}`)
}

function toPeer(name: string): PeerName {
  const peer = peerNames.find((known) => known === name)
  if (peer === undefined) throw new Error(`--peers knows ${peerNames.join(', ')}, not ${JSON.stringify(name)}`)
  return peer
}

function toPart(name: string): Part {
  const part = parts.find((known) => known === name)
  if (part === undefined) throw new Error(`--only knows ${parts.join(', ')}, not ${JSON.stringify(name)}`)
  return part
}

function toSize(text: string): number {
  const size = Number(text)
  if (Number.isInteger(size) && size >= 1000) return size
  throw new Error(`--sizes takes whole numbers of 1,000 or more, not ${JSON.stringify(text)}`)
}
