/** Measures Scrubjay in a store that has been in use: some records are superseded, and questions name times. */
import { figures, type OurRun, ours } from './measure-ours.ts'
import { openBenchPage } from './open-bench-page.ts'
import { inUseModes } from './page/bench-api.ts'
import { type Row, rowOf } from './results.ts'

/** One record in so many is superseded. */
const supersededShare = 400

export async function askInUse({
  site,
  profileDir,
  collection,
  questions,
  budgetMs,
  say,
}: OurRun): Promise<readonly Row[]> {
  const page = await openBenchPage(site, profileDir)
  const of = collection.records.length
  const records = Math.ceil(of / supersededShare)
  try {
    await page.bench.use({ collection: collection.name })
    await page.bench.open({})
    await page.bench.change({ verb: 'supersede', of, records, batchSize: records })
    const rows: Row[] = []
    for (const mode of inUseModes) {
      for (const pass of ['cold', 'warm'] as const) {
        const timings = await page.bench.time({ mode, tag: null, questions, budgetMs })
        rows.push(rowOf({ contender: ours, mode, scope: null, pass }, timings))
        say(`${mode}, ${pass}: ${figures(rows.at(-1)!)}`)
      }
    }
    await page.bench.leave({})
    return rows
  } finally {
    await page.close()
  }
}
