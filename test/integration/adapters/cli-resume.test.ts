/** Kills `scrubjay import` half way, with real processes, and starts it again: the store must equal that of a fresh import. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRecall } from '../../../src/client/open.ts'
import { root } from '../../support/install-package.ts'

const folder = mkdtempSync(join(tmpdir(), 'scrubjay-resume-'))
const at = (...names: string[]) => join(folder, ...names)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Three slices of `put`. */
const count = 1_500

/** Notes with links, the same times in each call; `edited`: every third has another text, every fifth is gone. */
function writeNotes(edited: boolean): void {
  rmSync(at('notes'), { recursive: true, force: true })
  mkdirSync(at('notes'))
  for (let i = 0; i < count; i++) {
    if (edited && i % 5 === 0) continue
    const path = at('notes', `note ${i}.md`)
    writeFileSync(
      path,
      `# Note ${i}\n\n${edited && i % 3 === 0 ? 'Edited. ' : ''}Rye ${i} links [[note ${(i * 7) % count}]].`,
    )
    utimesSync(path, 1_700_000_000 + i, 1_700_000_000 + i)
  }
}

interface Ended {
  /** Null after a kill. */
  readonly code: number | null
  readonly output: string
}

/** Kills so many ms after the command reported so many records. */
interface Kill {
  readonly records: number
  readonly ms: number
}

function importNotes(store: string, killAt: Kill | null = null): Promise<Ended> {
  const program = join(root, 'dist/src/cli/main.js')
  const args = [program, 'import', at('notes'), '--store', at(store), '--embedder', 'none', '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let progress = ''
  child.stdout.on('data', (text) => (output += String(text)))
  child.stderr.on('data', (text) => {
    progress += String(text)
    if (killAt !== null && progress.includes(`import: ${killAt.records} records`))
      setTimeout(() => child.kill('SIGKILL'), killAt.ms)
  })
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

async function contentOf(store: string) {
  const recall = await openRecall({ path: at(store), embedder: null })
  const found = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof recall.list>> = await recall.list({ limit: 1_000, cursor })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  const { ok } = await recall.integrityCheck()
  await recall.close()
  return { ok, items: found.sort((a, b) => (a.id < b.id ? -1 : 1)) }
}

beforeAll(async () => {
  writeNotes(false)
  expect((await importNotes('whole.sqlite')).code).toBe(0)
}, 60_000)

test('an import that is killed and started again equals a fresh one, and stores only what is missing', async () => {
  const fresh = await contentOf('whole.sqlite')
  for (const kill of [
    { records: 500, ms: 0 },
    { records: 1_000, ms: 40 },
  ]) {
    const store = `killed-${kill.records}.sqlite`
    expect((await importNotes(store, kill)).code).toBe(null)
    const { code, output } = await importNotes(store)
    const { inserted, updated, unchanged } = JSON.parse(output)
    expect({ code, all: inserted + unchanged, updated }).toEqual({ code: 0, all: count, updated: 0 })
    // Work that was done before the kill is not done again.
    expect(unchanged).toBeGreaterThanOrEqual(kill.records)
    expect(await contentOf(store)).toEqual(fresh)
  }
}, 120_000)

test('the same holds for the import of a folder that was edited', async () => {
  await importNotes('edited.sqlite')
  writeNotes(true)
  expect((await importNotes('edited.sqlite', { records: 500, ms: 20 })).code).toBe(null)
  expect((await importNotes('edited.sqlite')).code).toBe(0)
  expect((await importNotes('fresh.sqlite')).code).toBe(0)
  expect(await contentOf('edited.sqlite')).toEqual(await contentOf('fresh.sqlite'))
}, 120_000)
