/** Measures how many stores one thread holds open before its memory is full: `npx tsx test/scale/until-full.ts`. */
import { openOverBlocks } from '../../worker/inline.ts'
import { createRandom } from '../support/data/random.ts'
import { engineOptions } from '../support/stores/engine-options.ts'
import { memoryBlocks } from '../support/stores/memory-blocks.ts'
import { request } from './cluster.ts'
import { print } from './report.ts'
import { largeRecords, recordOf, smallRecords, space } from './tenants.ts'

const memoryMegabytes = 2_048

const random = createRandom(1)

for (const records of [smallRecords, largeRecords]) {
  const batch = Array.from({ length: records }, (_, i) => recordOf(random, `r${i}`))
  const open: Awaited<ReturnType<typeof openFilled>>[] = []
  try {
    for (;;) open.push(await openFilled(`store ${open.length}`, batch))
  } catch (error) {
    if (!String(error).includes('Memory ran out')) throw error
  }
  print(`stores of ${records} records until the memory is full`, {
    stores: open.length,
    megabytesAStore: memoryMegabytes / open.length,
  })
  for (const store of open) await store.closeAndKeep()
}

async function openFilled(name: string, batch: readonly object[]) {
  const store = await openOverBlocks({ ...engineOptions, space, name }, null, undefined, { blocks: memoryBlocks() })
  const reply = await store.call(request('put', { batch }))
  if (!reply.ok) throw new Error(reply.error.message)
  return store
}
