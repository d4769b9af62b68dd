/**
 * Exchanges each file of a store under its owner in each way, and then calls the store: a call is refused with its reason, or what it acknowledged is there at the next
 * opening, after a close and after a kill [R10].
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RecallError } from '../../../../src/core/model/errors.ts'
import { locateFile } from '../../../../worker/node/locate-file.ts'
import type { InlineEngine } from '../../../../worker/inline.ts'
import { sized } from '../../../support/data/sized.ts'
import { call, close, folder, ids, openEngine, path, put } from './folder.ts'

/** A part of the store `path`, an earlier state of it, and the same part of another store. */
interface Target {
  readonly part: string
  readonly earlier: string
  readonly foreign: string
}

/** Where an opening is refused until its user took something back, this takes it back. */
type WayOut = (at: string) => void

/** Returns the way out, if one is needed. */
type Action = (target: Target) => WayOut | void

const aside = (part: string) => `${part}.aside`
const moveAside = (part: string) => renameSync(part, aside(part))
const copyTo = (from: string, to: string) => {
  copyFileSync(from, `${to}.copy`)
  renameSync(`${to}.copy`, to)
}

const ofFiles: Readonly<Record<string, Action>> = {
  'is deleted': ({ part }) => rmSync(part),
  'is renamed': ({ part }) => moveAside(part),
  'is renamed and renamed back': ({ part }) => {
    moveAside(part)
    renameSync(aside(part), part)
  },
  'is replaced by its copy': ({ part }) => copyTo(part, part),
  'is replaced by an earlier one': ({ part, earlier }) => copyTo(earlier, part),
  'is replaced by that of another store': ({ part, foreign }) => copyTo(foreign, part),
  'is replaced by a hard link to another file': ({ part, foreign }) => {
    rmSync(part)
    linkSync(foreign, part)
    return () => undefined
  },
  'is moved, and a hard link to it takes its name': ({ part }) => {
    moveAside(part)
    linkSync(aside(part), part)
    return (at) => rmSync(aside(at + part.slice(path.length)), { force: true })
  },
  'is moved, and a link to it takes its name': ({ part }) => {
    moveAside(part)
    symlinkSync(basename(aside(part)), part)
  },
  'gives its name to a link to a copy': ({ part }) => {
    copyFileSync(part, aside(part))
    rmSync(part)
    symlinkSync(basename(aside(part)), part)
  },
  'gives its name to a folder': ({ part }) => {
    rmSync(part)
    mkdirSync(part)
  },
  'gets a second name': ({ part }) => {
    linkSync(part, aside(part))
    return (at) => rmSync(aside(at + part.slice(path.length)), { force: true })
  },
  'is emptied': ({ part }) => truncateSync(part),
  'is cut in half': ({ part }) => truncateSync(part, statSync(part).size >> 1),
  'loses its last byte': ({ part }) => truncateSync(part, Math.max(0, statSync(part).size - 1)),
  'is overwritten with an earlier one': ({ part, earlier }) => copyFileSync(earlier, part),
  'is overwritten with that of another store': ({ part, foreign }) => copyFileSync(foreign, part),
  'is overwritten with itself': ({ part }) => writeFileSync(part, readFileSync(part)),
  'becomes read-only': ({ part }) => {
    chmodSync(part, 0o400)
    return (at) => chmodSync(at + part.slice(path.length), 0o600)
  },
}

const ofLocks: Readonly<Record<string, Action>> = {
  'is deleted': ({ part }) => rmSync(part, { recursive: true }),
  'is renamed': ({ part }) => moveAside(part),
  'gives its name to a file': ({ part }) => {
    moveAside(part)
    writeFileSync(part, '')
    return () => rmSync(part, { recursive: true })
  },
  'is moved, and a link to it takes its name': ({ part }) => {
    moveAside(part)
    symlinkSync(basename(aside(part)), part)
    return () => rmSync(part, { recursive: true })
  },
  'becomes read-only': ({ part }) => {
    chmodSync(part, 0o500)
    return () => existsSync(part) && chmodSync(part, 0o700)
  },
}

const matrix: readonly (readonly [end: string, actions: Readonly<Record<string, Action>>])[] = [
  ['', ofFiles],
  ['-wal', ofFiles],
  ['-revision', ofFiles],
  ['-open', ofLocks],
]

type Step = 'put' | 'compact'

/** What is called after the exchange. `isEmptied`: whether the journal held no commit before. */
const sequences: readonly { readonly isEmptied: boolean; readonly steps: readonly Step[] }[] = [
  { isEmptied: false, steps: ['put', 'compact'] as const },
  { isEmptied: true, steps: ['compact', 'put'] as const },
  { isEmptied: false, steps: ['compact', 'put'] as const },
  { isEmptied: true, steps: ['put', 'compact'] as const },
  // All of them in a long run.
].slice(0, sized(2))

let prepared: string

beforeAll(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'scrubjay-prepared-'))
  for (const name of ['store', 'other']) {
    const engine = await openEngine(join(prepared, name))
    await call(engine, 'put', {
      batch: Array.from({ length: 40 }, (_, i) => ({
        id: `${name}-${i}`,
        body: `${name} hid acorn ${i}. `.repeat(40),
      })),
    })
    await close(engine)
  }
  // The other store's files while it is open.
  const engine = await openEngine(join(prepared, 'other'))
  await put(engine, 'foreign')
  for (const end of ['', '-wal', '-revision'])
    copyFileSync(join(prepared, `other${end}`), join(prepared, `foreign${end}`))
  await close(engine)
}, 60_000)

afterAll(() => rmSync(prepared, { recursive: true, force: true }))

/** What the store promised, as ids of records. */
interface Promised {
  readonly before: string[]
  readonly acknowledged: string[]
  readonly refused: string[]
  /** Whether a compaction or a close was acknowledged after the exchange: then all of `before` must be there. */
  isSettled: boolean
}

const refusal = {
  code: expect.stringMatching(/^(?:STORE_BUSY|STORAGE_UNAVAILABLE)$/),
  hint: expect.stringContaining('open it again'),
}

/** Opens what is at a path. Throws if it breaks a promise. */
async function judge(at: string, { before, acknowledged, refused, isSettled }: Promised, wayOut: WayOut | void) {
  const isPromised = acknowledged.length > 0 || isSettled
  let engine: InlineEngine
  try {
    engine = await openEngine(locateFile(at))
  } catch (error) {
    expect(error).toBeInstanceOf(RecallError)
    expect(error).toMatchObject({ hint: expect.stringMatching(/./) })
    if (wayOut !== undefined && isPromised) {
      wayOut(at)
      return judge(at, { before, acknowledged, refused, isSettled }, undefined)
    }
    if (isPromised) throw error
    return 'refused'
  }
  const found = await ids(engine)
  const { degraded } = await call(engine, 'status')
  await close(engine)
  expect(found).toEqual(expect.arrayContaining(acknowledged))
  for (const id of refused) expect(found).not.toContain(id)
  if (isPromised || degraded.length === 0) expect(found).toEqual(expect.arrayContaining(before))
  return 'opened'
}

/** The files as they are at this moment, as if the process were killed. */
function killed(number: number): string {
  const to = `${folder}-killed-${number}`
  rmSync(to, { recursive: true, force: true })
  cpSync(folder, to, { recursive: true, verbatimSymlinks: true, filter: (from) => !/-open(?:\.aside)?$/.test(from) })
  return join(to, basename(path))
}

async function trial(end: string, action: Action | null, { isEmptied, steps }: (typeof sequences)[number]) {
  copyFileSync(join(prepared, 'store'), path)
  const engine = await openEngine()
  await put(engine, 'early')
  const earlier = join(folder, 'earlier')
  if (end !== '-open') copyFileSync(path + end, earlier)
  await put(engine, 'before')
  if (isEmptied) await call(engine, 'compact')
  const promised: Promised = { before: await ids(engine), acknowledged: [], refused: [], isSettled: false }
  const wayOut = action?.({ part: path + end, earlier, foreign: join(prepared, `foreign${end}`) })
  const seen = { acknowledged: 0, refused: 0, opened: 0, unopened: 0 }
  const look = async (at: string) => seen[(await judge(at, promised, wayOut)) === 'opened' ? 'opened' : 'unopened']++
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      seen.acknowledged++
      return true
    } catch (error) {
      expect(error).toMatchObject(refusal)
      seen.refused++
      return false
    }
  }
  const snapshots: string[] = []
  try {
    snapshots.push(killed(0))
    await look(snapshots.at(-1)!)
    for (const [i, step] of steps.entries()) {
      const isDone = await attempt(() => (step === 'put' ? put(engine, `after-${i}`) : call(engine, 'compact')))
      if (step === 'put') promised[isDone ? 'acknowledged' : 'refused'].push(`after-${i}`)
      else promised.isSettled ||= isDone
      if (!isDone) {
        // Of an emptied file not even the number of records can be read; then the error says why.
        const { degraded } = await call(engine, 'status').catch((error: RecallError) => ({ degraded: [error.message] }))
        expect(degraded).toContainEqual(
          expect.stringMatching(/moved, deleted or replaced|another owner|written over|cut or emptied/),
        )
      }
      if (!isDone) continue
      snapshots.push(killed(i + 1))
      await look(snapshots.at(-1)!)
    }
    if (await attempt(() => close(engine))) promised.isSettled = true
    await look(path)
    return seen
  } finally {
    await close(engine).catch(() => undefined)
    for (const at of snapshots) rmSync(join(at, '..'), { recursive: true, force: true })
  }
}

// Windows renames and removes no open file.
describe.skipIf(process.platform === 'win32').each(matrix)('memory.sqlite%s', (end, actions) => {
  test.each(Object.keys(actions))('[R10] %s: each later call is refused, or done for good', async (name) => {
    for (const sequence of sequences) {
      await trial(end, actions[name]!, sequence).catch((error: unknown) => {
        throw new Error(
          `${sequence.isEmptied ? 'emptied journal, ' : ''}${sequence.steps.join(', ')}: ${String(error)}`,
          { cause: error },
        )
      })
      for (const left of [
        path,
        aside(path),
        `${path}-wal`,
        `${path}-revision`,
        `${path}-open`,
        `${path}-wal.aside`,
        `${path}-revision.aside`,
        `${path}-open.aside`,
      ]) {
        if (existsSync(left)) chmodSync(left, 0o700)
        rmSync(left, { recursive: true, force: true })
      }
    }
  })
})

test('[R10] control: without an exchange nothing is refused, and all openings find all', async () => {
  for (const sequence of sequences) {
    expect(await trial('', null, sequence)).toEqual({ acknowledged: 3, refused: 0, opened: 4, unopened: 0 })
    rmSync(path)
  }
})
