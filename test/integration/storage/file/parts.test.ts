/** Mixes the files of a store at several times and of several stores: each opens as one state of one store, or not at all [R11]. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openRecall } from '../../../../src/index.ts'
import { salvage } from '../../../../src/salvage/index.ts'
import { call, close, folder, ids, openEngine, path, put } from './folder.ts'

const ends = ['', '-wal', '-revision'] as const

/** Copies the files of a store as they are at this moment, as if its process were killed. */
function snapshot(name: string): string {
  const to = join(folder, name)
  mkdirSync(to)
  for (const end of ends) if (existsSync(path + end)) copyFileSync(path + end, join(to, basename(path) + end))
  return to
}

/** The file, the journal and the revision of three snapshots; null: none. */
function mix(name: string, parts: readonly (string | null)[]): string {
  const to = join(folder, name)
  mkdirSync(to)
  for (const [i, end] of ends.entries()) {
    const from = parts[i] === null ? null : join(parts[i]!, basename(path) + end)
    if (from !== null && existsSync(from)) copyFileSync(from, join(to, basename(path) + end))
  }
  return join(to, basename(path))
}

const corrupt = { code: 'STORE_CORRUPT', hint: expect.stringMatching(/Put the file back|Remove .*-wal/) }

/** Three moments of a store: after one write, after more and a checkpoint, and after the next writes; with what each holds. */
async function moments() {
  const engine = await openEngine()
  const states: { readonly at: string; readonly held: readonly string[] }[] = []
  const take = async (name: string) => states.push({ at: snapshot(name), held: await ids(engine) })
  await put(engine, 'a')
  await take('one')
  await put(engine, 'b')
  await take('two')
  // Forgetting empties the journal.
  await call(engine, 'forget', { ids: ['a'] })
  await take('three')
  await put(engine, 'c')
  await take('four')
  await close(engine)
  return states
}

test('[R11] the parts of one moment open as that moment', async () => {
  for (const { at, held } of await moments()) {
    const engine = await openEngine(join(at, basename(path)))
    expect(await ids(engine)).toEqual(held)
    await close(engine)
  }
})

test('[R11] a killed store without its revision file opens as it was, and says that its last changes may be missing', async () => {
  const engine = await openEngine()
  await put(engine, 'a')
  const killed = snapshot('killed')
  await close(engine)
  const opened = await openRecall({ path: mix('without-revision', [killed, killed, null]), embedder: null })
  expect((await opened.status()).degraded).toEqual([
    expect.stringMatching(/last acknowledged revision is missing.* last changes/),
  ])
  expect((await opened.get('a'))?.id).toBe('a')
  await opened.close()

  const whole = await openRecall({ path: mix('with-revision', [killed, killed, killed]), embedder: null })
  expect((await whole.status()).degraded, 'control: with the file there is nothing to say').toEqual([])
  await whole.close()
})

test('[R11] parts of several moments open as one of them, with a word, or not at all', async () => {
  const states = await moments()
  const sets = states.map(({ held }) => held.join())
  const places = [...states.map(({ at }) => at), null]
  let count = 0
  const seen = { opened: 0, refused: 0 }
  for (const main of states.map(({ at }) => at)) {
    for (const journal of places) {
      for (const revision of places) {
        if (main === journal && main === revision) continue
        const mixed = mix(`mixed-${++count}`, [main, journal, revision])
        try {
          const engine = await openEngine(mixed)
          seen.opened++
          expect(sets, `${main} ${journal} ${revision}`).toContain((await ids(engine)).join())
          await close(engine)
        } catch (error) {
          seen.refused++
          expect(error).toMatchObject({ code: 'STORE_CORRUPT', hint: expect.any(String) })
        }
      }
    }
  }
  expect(seen.opened).toBeGreaterThan(0)
  expect(seen.refused).toBeGreaterThan(seen.opened)
})

test('[R11] parts of two stores are refused', async () => {
  const [first] = await moments()
  rmSync(path)
  const other = await openEngine()
  for (let i = 0; i < 3; i++) await put(other, `other-${i}`)
  const second = snapshot('other')
  await close(other)
  let count = 0
  for (const parts of [
    [first!.at, second, first!.at],
    [first!.at, second, second],
    [first!.at, first!.at, second],
    [second, first!.at, second],
  ])
    await expect(openEngine(mix(`mixed-${++count}`, parts))).rejects.toMatchObject(corrupt)
})

test('[R11] a database that was copied alone while it was open does not open as an empty store, and salvage reads it', async () => {
  const engine = await openEngine()
  for (let i = 0; i < 30; i++) await put(engine, `r${i}`)
  // Forgetting empties the journal into the file.
  await call(engine, 'forget', { ids: ['r0'] })
  const alone = mix('alone', [snapshot('open'), null, null])
  await close(engine)
  await expect(openEngine(alone)).rejects.toMatchObject(corrupt)
  expect(existsSync(`${alone}-wal`)).toBe(false)
  const salvaged = await salvage({ path: alone })
  expect(salvaged.records).toBe(29)
  await salvaged.close()
})

test('[R11] a backup that is copied over a killed store does not take its journal', async () => {
  const first = await openEngine()
  for (let i = 0; i < 40; i++) await put(first, `r${i}`)
  await close(first)
  copyFileSync(path, join(folder, 'backup'))
  const second = await openEngine()
  for (let i = 0; i < 40; i += 2) await call(second, 'put', { batch: [{ id: `r${i}`, body: 'newer' }] })
  await call(second, 'compact')
  await close(second)
  const third = await openEngine()
  for (let i = 0; i < 9; i++) await put(third, `late-${i}`)
  const killed = snapshot('killed')
  await close(third)
  copyFileSync(join(folder, 'backup'), join(killed, basename(path)))
  await expect(openEngine(join(killed, basename(path)))).rejects.toMatchObject(corrupt)
  // The hint names the way out.
  rmSync(join(killed, `${basename(path)}-wal`))
  const restored = await openEngine(join(killed, basename(path)))
  expect(await ids(restored)).toHaveLength(40)
  expect((await call(restored, 'status')).degraded).toEqual([expect.stringMatching(/earlier time .* revision \d+/)])
  await close(restored)
})

test('[R11] control: a copy of a closed store opens, and says nothing', async () => {
  const engine = await openEngine()
  await put(engine, 'a')
  await close(engine)
  const copy = join(folder, 'copy.sqlite')
  copyFileSync(path, copy)
  const again = await openEngine(copy)
  expect(await ids(again)).toEqual(['a'])
  expect((await call(again, 'status')).degraded).toEqual([])
  await close(again)
})

test('[R11] a file that is missing next to its journal is not opened as a new one', async () => {
  const engine = await openEngine()
  await put(engine, 'a')
  const killed = snapshot('killed')
  await close(engine)
  rmSync(join(killed, basename(path)))
  await expect(openEngine(join(killed, basename(path)))).rejects.toMatchObject({ code: 'DATA_MISSING' })
})

test('[R11] a damaged note of the owner is damage, never a closed file', async () => {
  const engine = await openEngine()
  await put(engine, 'a')
  const killed = join(snapshot('killed'), basename(path))
  await close(engine)
  const bytes = readFileSync(killed)
  for (let at = 72; at < 92; at++) {
    const flipped = Buffer.from(bytes)
    flipped[at] = flipped[at]! ^ 1
    writeFileSync(killed, flipped)
    await expect(openEngine(killed), `byte ${at}`).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  }
  writeFileSync(killed, bytes)
  const again = await openEngine(killed)
  expect(await ids(again)).toEqual(['a'])
  await close(again)
})

test('[R11] a store that an older release left, closed or killed, opens with all that it holds', async () => {
  const engine = await openEngine()
  await put(engine, 'a')
  await put(engine, 'b')
  const killed = join(snapshot('killed'), basename(path))
  await close(engine)
  // Older releases wrote no note, and a revision of 16 bytes.
  const bytes = readFileSync(killed)
  bytes.fill(0, 72, 92)
  writeFileSync(killed, bytes)
  writeFileSync(`${killed}-revision`, '')
  const again = await openEngine(killed)
  expect(await ids(again)).toEqual(['a', 'b'])
  await put(again, 'c')
  await close(again)
  const last = await openEngine(killed)
  expect(await ids(last)).toEqual(['a', 'b', 'c'])
  await close(last)
})

test('[E1] a blank path is refused', async () => {
  for (const blank of [' ', '', '\t'])
    await expect(openRecall({ path: blank, embedder: null })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'path',
    })
})

test('[R11] each opening numbers its first journal at random, also if it empties the journal before its first write', async () => {
  const saltOf = () => readFileSync(`${path}-wal`).readUInt32BE(16)
  const salts: number[] = []
  await close(await openEngine())
  for (let i = 0; i < 3; i++) {
    const engine = await openEngine()
    if (i > 0) await call(engine, 'forget', { ids: ['absent'] })
    if (i > 0) await call(engine, 'compact')
    await put(engine, `note ${i}`)
    salts.push(saltOf())
    await close(engine)
  }
  // SQLite counts from 0 on if an empty journal was emptied.
  expect(Math.min(...salts)).toBeGreaterThan(1_000)
  expect(new Set(salts).size).toBe(3)
})
