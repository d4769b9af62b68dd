/**
 * Each third I/O call of a small session over a file fails once, in a long run each one: errors are typed, a repeated step succeeds, and content, ranks and the text
 * index equal those of a healthy disk. `node test/torture/run.mjs t4` does this for all kinds of storage.
 */
import { expect, test } from 'vitest'
import { initSqlite } from '../../../worker/sqlite/init-sqlite.ts'
import { sizedTo } from '../../support/data/sized.ts'
import { fileDisk } from '../../torture/t4/disks.ts'
import { type Session, vectorOf } from '../../torture/t4/script.ts'
import { diskAfter, type Harm, rehearse, runTrial } from '../../torture/t4/trial.ts'

const now = Date.UTC(2026, 0, 1)

function putting(title: string, from: number, to: number): Session {
  const batch = Array.from({ length: to - from }, (_, i) => ({
    id: `r${from + i}`,
    body: `the jay ${from + i} hides acorns ${'oak '.repeat((from + i) % 5)}`,
    vectors: vectorOf(from + i),
  }))
  return {
    title,
    from: 'before',
    steps: [{ name: 'put', run: (caller) => caller.call('put', { batch }, now + from, `put ${from}`) }],
  }
}

const once = (nth: number, name: string | null): Harm => ({
  isForever: false,
  isKilled: false,
  begin: (place, disk) => {
    if (place === -1) disk.armFault(nth, { isForever: false, name })
  },
  failed: () => undefined,
  end: (disk) => disk.disarmFault(),
})

async function sessions() {
  const first = await rehearse(putting('first', 0, 12), fileDisk(await initSqlite()))
  return rehearse(putting('second', 12, 16), await diskAfter(first))
}

test('[P1] a call that fails once leaves no trace', async () => {
  const second = await sessions()
  expect(second.calls).toBeGreaterThan(30)
  for (let nth = 1; nth <= second.calls; nth += sizedTo(3, 1)) {
    const { faults, neededReopening } = await runTrial(second, once(nth, 'NotReadableError'))
    expect({ nth, faults, neededReopening }).toEqual({ nth, faults: [], neededReopening: false })
  }
})

test('control: a call that does nothing and reports success is found', async () => {
  const second = await sessions()
  let found = 0
  for (let nth = 1; nth <= second.calls; nth += sizedTo(9, 3))
    found += (await runTrial(second, once(nth, null))).faults.length
  expect(found).toBeGreaterThan(0)
})
