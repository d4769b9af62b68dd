/** Tests which openings the suite T21 accepts, and which it must report. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../torture/t3/random.ts'
import { drawHistory } from '../../torture/t21/operations.ts'
import {
  forgetting,
  judgeOpening,
  mayHave,
  mustHave,
  newFile,
  patching,
  putting,
  type Seen,
  type State,
  World,
} from '../../torture/t21/oracle.ts'

const state = (records: Readonly<Record<string, string>>): State => new Map(Object.entries(records))
const one = state({ a: '1' })
const two = state({ a: '1', b: '2' })
const seen = (found: State, more: Partial<Seen> = {}): Seen => ({ state: found, role: 'leader', degraded: [], ...more })
const whole = { mayBeOlder: false }
const torn = { mayBeOlder: true }

describe('an opening of a file that acknowledged two records', () => {
  const file = () => newFile(two, [state({}), one])

  it('may find both', () => {
    expect(judgeOpening(file(), seen(two), whole)).toBeNull()
  })

  it('control: it may not find the first one alone, nor others', () => {
    expect(judgeOpening(file(), seen(one), whole)).toMatchObject({ kind: 'lost' })
    expect(judgeOpening(file(), seen(state({})), whole)).toMatchObject({ kind: 'lost' })
    expect(judgeOpening(file(), seen(state({ b: '2' })), whole)).toMatchObject({ kind: 'lost' })
    expect(judgeOpening(file(), seen(state({ a: '1', b: '9' })), whole)).toMatchObject({ kind: 'mixture' })
  })

  it('may find an earlier state if parts were exchanged, but must say so', () => {
    expect(judgeOpening(file(), seen(one, { degraded: ['The end is missing.'] }), torn)).toBeNull()
    expect(judgeOpening({ ...file(), isReported: true }, seen(one), torn)).toBeNull()
    expect(judgeOpening(file(), seen(one), torn)).toMatchObject({ kind: 'untold' })
    expect(judgeOpening(file(), seen(state({ b: '2' }), { degraded: ['The end is missing.'] }), torn)).toMatchObject({
      kind: 'mixture',
    })
  })

  it('may find a write without an answer or not, and no refused one', () => {
    const change = putting([{ id: 'c', body: '3' }])
    const unsure = { ...file(), maybe: [{ change, isPending: false }] }
    expect(judgeOpening(unsure, seen(change(two)), whole)).toBeNull()
    expect(judgeOpening(unsure, seen(two), whole)).toBeNull()
    expect(judgeOpening({ ...file(), refused: [change] }, seen(change(two)), whole)).toMatchObject({
      kind: 'refused but written',
    })
  })

  it('may find a write without an answer below a later one', () => {
    const unsure = file()
    mayHave(unsure, putting([{ id: 'a', body: '8' }]))
    mustHave(unsure, putting([{ id: 'c', body: '3' }]))
    expect(judgeOpening(unsure, seen(state({ a: '1', b: '2', c: '3' })), whole)).toBeNull()
    expect(judgeOpening(unsure, seen(state({ a: '8', b: '2', c: '3' })), whole)).toBeNull()
    expect(judgeOpening(unsure, seen(state({ a: '8', b: '2' })), whole)).not.toBeNull()
  })

  it('may find what a process shows that still has the file before, but only through that process', () => {
    const served = { ...whole, served: [newFile(state({ z: '0' }))] }
    expect(judgeOpening(file(), seen(state({ z: '0' }), { role: 'follower' }), served)).toBeNull()
    expect(judgeOpening(file(), seen(state({ z: '0' })), served)).not.toBeNull()
  })
})

describe('changes', () => {
  it('put, patch and forget as the engine promises', () => {
    expect(putting([{ id: 'b', body: '2' }])(one)).toEqual(two)
    expect(patching('b', '3')(two)).toEqual(state({ a: '1', b: '3' }))
    expect(patching('b', '3')(one)).toEqual(one)
    expect(forgetting(['b'])(two)).toEqual(one)
  })
})

describe('files and their names', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrubjay-oracle-'))
    path = join(folder, 'a.sqlite')
    writeFileSync(path, '')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('follow renames, and a new file under an old name is another file', () => {
    const world = new World()
    const file = world.named(path)
    expect(file).not.toBeNull()
    const moved = join(folder, 'b.sqlite')
    renameSync(path, moved)
    expect(world.named(path)).toBeNull()
    expect(world.named(moved)).toBe(file)
    writeFileSync(path, '')
    expect(world.named(path)).not.toBe(file)
    rmSync(moved)
    writeFileSync(moved, '')
    expect(world.named(moved), 'a number that is used again').not.toBe(file)
  })

  it('are whole with their own journal, and not with one of another file or without one', () => {
    const world = new World()
    const file = world.named(path)!
    expect(world.isWhole(path)).toBe(true)
    file.needsJournal = true
    expect(world.isWhole(path), 'its journal is missing').toBe(false)
    world.join(path, file)
    expect(world.isWhole(path)).toBe(true)
    world.tear(path)
    expect(world.isWhole(path), 'its journal was exchanged').toBe(false)
    world.join(path, file)
    world.name(path, newFile(one))
    expect(world.isWhole(path), 'another file has its name').toBe(false)
    writeFileSync(`${path}-wal`, '')
    rmSync(path)
    expect(world.isWhole(path), 'a journal without a file').toBe(false)
  })
})

describe('a history', () => {
  it('is the same for the same seed, and another one for another seed', () => {
    const drawn = (seed: number) => JSON.stringify(drawHistory(seed, createRandom(seed)))
    expect(drawn(7)).toBe(drawn(7))
    expect(drawn(7)).not.toBe(drawn(8))
  })

  it('uses every operation within a few hundred seeds', () => {
    const names = new Set<string>()
    for (let seed = 1; seed <= 300; seed++)
      for (const operation of drawHistory(seed, createRandom(seed)).operations) names.add(operation.do)
    expect([...names].sort()).toEqual(
      [
        ['open', 'close', 'reopen', 'kill', 'stop', 'resume', 'probe', 'write during', 'write, then'],
        ['put', 'patch', 'forget', 'compact', 'back up', 'restore', 'delete', 'replace', 'rename', 'rename back'],
        ['copy all parts', 'link', 'unlink', 'delete folder', 'rename folder', 'rename folder back', 'mount'],
        ['mount file', 'git commit', 'git checkout', 'git clean'],
      ]
        .flat()
        .sort(),
    )
  })
})
