/**
 * A process that writes to a store in a file until it is killed. Arguments: path, prefix of the ids, `shipped` or `early`, `locked` or nothing. Each line of its
 * output is one fact: `role leader`, `put <id>`, `forgotten <id>`, `late <id>` (its write was not answered in time: it may be done or not), or
 * `error <text>`. A line is written at once, before the next call.
 */
import { writeSync } from 'node:fs'
import { openRecall, RecallError } from '../../../src/index.ts'
import { killLock } from './kill-lock.ts'

const [path = '', prefix = '', mode = 'shipped', locked] = process.argv.slice(2)
const say = (line: string) => writeSync(1, `${line}\n`)

/** Null if a busy machine did not answer before the deadline. */
async function inTime<T>(id: string, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof RecallError) || error.code !== 'DEADLINE_EXCEEDED') throw error
    say(`late ${id}`)
    return null
  }
}

try {
  const recall = await openRecall({ path, embedder: null, lock: locked === undefined ? undefined : killLock })
  recall.subscribe((event) => {
    if (event.type === 'leader-changed') say(`role ${event.role}`)
  })
  say(`role ${(await recall.status()).role}`)
  for (let i = 0; ; i++) {
    const id = `${prefix}-${i}`
    // The control reports a write before it is done.
    if (mode === 'early') say(`put ${id}`)
    const done = await inTime(id, recall.put([{ id, body: `Note ${i} of ${prefix}: ${'acorn '.repeat(i % 40)}` }]))
    // A write that was done twice would be `unchanged` the second time.
    const outcome = done?.records[0]?.outcome
    if (done !== null && outcome !== 'inserted') say(`error ${id} was ${outcome}`)
    if (done !== null && mode !== 'early') say(`put ${id}`)
    if (i % 7 !== 6) continue
    const old = `${prefix}-${i - 3}`
    if ((await inTime(old, recall.forget(old))) !== null) say(`forgotten ${old}`)
  }
} catch (error) {
  say(`error ${String(error)}`)
}
