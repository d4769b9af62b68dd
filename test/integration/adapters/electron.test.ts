/**
 * Runs the example of docs/desktop.md for Electron with a stand-in of `electron`: main process, preload script and the page's module, in a Node
 * process of their own, over a store in a file.
 */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, run } from '../../support/install-package.ts'

let app: string

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'scrubjay-electron-'))
  await cp(join(root, 'test/fixtures/desktop/electron'), app, { recursive: true })
  await mkdir(join(app, 'node_modules/electron'), { recursive: true })
  await cp(join(root, 'test/support/stand-ins/electron.cjs'), join(app, 'node_modules/electron/index.js'))
  await symlink(root, join(app, 'node_modules/scrubjay'), 'junction')
  await writeFile(join(app, 'page.mjs'), page)
})

afterAll(() => rm(app, { recursive: true, force: true }))

/** What the page saw until its process ended, without closing the store. */
async function startApp(): Promise<unknown> {
  return JSON.parse(await run(process.execPath, ['page.mjs'], app))
}

test('a page puts, recalls and follows a query through the bridge, and the file keeps the records', async () => {
  const expected = {
    lives: [[], ['oak']],
    sentAfterEnd: 0,
    found: ['oak'],
    inPage: { isRecallError: true, code: 'INVALID_RECORD', field: 'body', hasHint: true },
    // Control: without page-memory.mjs the page gets a plain object.
    crossed: { isRecallError: false, code: 'INVALID_RECORD' },
    liveError: { isRecallError: true, code: 'INVALID_ARGUMENT' },
    refused: 'Error: A page must not call destroy.',
  }
  expect(await startApp()).toEqual({ kept: null, ...expected })
  // The record is there before the page puts it again; then the query has its answer from the start.
  expect(await startApp()).toEqual({ kept: 'Jays hide acorns under the oak.', ...expected, lives: [['oak']] })
})

const page = `
import './main.mjs'
import { setTimeout as wait } from 'node:timers/promises'
import { loaded, page } from 'electron'
import { RecallError } from 'scrubjay'
import { call, live } from './page-memory.mjs'

const until = async (holds) => { while (!holds()) await wait(10) }
const failed = (promise) => promise.then(() => { throw new Error('It did not fail.') }, (error) => error)
const idsOf = ({ hits }) => hits.map(({ id }) => id)

await loaded
const kept = (await call('get', 'oak'))?.body ?? null
const lives = []
const end = live('acorns', (answer) => lives.push(idsOf(answer)), console.error)
await until(() => lives.length === 1)
const before = kept === null ? 1 : 0
await call('put', { id: 'oak', body: 'Jays hide acorns under the oak.' })
await until(() => lives.length === 1 + before)
end()
const { sent } = page
const found = idsOf(await call('recall', { text: 'where do jays hide acorns?', limit: 1 }))
await call('put', { id: 'second', body: 'More acorns.' })
await wait(300)
const sentAfterEnd = page.sent - sent
await call('forget', 'second')

const wrong = { id: 'oak', body: 5 }
const inPage = await failed(call('put', wrong))
const { error } = await window.memory.call('put', wrong)
const liveError = await new Promise((done) => live({ text: 'acorns', limit: -1 }, () => undefined, done))
console.log(JSON.stringify({
  kept, lives, found, sentAfterEnd,
  inPage: { isRecallError: inPage instanceof RecallError, code: inPage.code, field: inPage.field, hasHint: inPage.hint !== undefined },
  crossed: { isRecallError: error instanceof RecallError, code: error.code },
  liveError: { isRecallError: liveError instanceof RecallError, code: liveError.code },
  refused: (await failed(call('destroy'))).message,
}))
process.exit(0)
`
