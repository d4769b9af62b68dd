/**
 * T7: hostile bytes, of exports and of stored files. Red when a mutant with a wrong checksum was imported, broke
 * something, or gave other records or none, when an error was untyped or took 5 s, and when a control finds nothing.
 */
import { parseArgs } from 'node:util'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { installOpfs } from '../node-opfs/install.ts'
import { type Outcome, print, seedsFrom } from '../outcome.ts'
import { runMutants } from './mutants.ts'
import { runGraphMutants, runTarget, type StoredCounts, type Target } from './stored.ts'
import { databaseTarget, headTarget, journalTarget, pagedTarget } from './targets.ts'

/** `--mutants` of exports, `--stored` of each kind of stored bytes, `--from` the first seed. */
export async function runHostileBytes(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mutants: { type: 'string', default: '2000' },
      stored: { type: 'string', default: '100' },
      from: { type: 'string', default: '1' },
    },
  })
  const [count, stored, from] = [Number(values.mutants), Number(values.stored), Number(values.from)]
  const sqlite3 = await installOpfs()
  const startedMs = performance.now()
  const { refused, landed, failures, codes } = await runMutants({ from, count })
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  print(`T7 exports: ${refused} refused, ${landed} with new checksums imported completely, ${seconds} s`)
  print(JSON.stringify(codes))
  for (const failure of failures) print(failure)
  // Without checksums some mutants are sound records: without such mutants, the checks behind the checksums were not
  // tested.
  const control = await runMutants({ from, count: Math.min(count, 500), onlySealed: true })
  for (const failure of control.failures) print(failure)
  const kept = await runStored(sqlite3, from, stored)
  return {
    isGreen: failures.length + control.failures.length === 0 && control.landed > 0 && kept.isGreen,
    size: `${count} mutants of exports, ${stored} of each kind of stored bytes`,
    seeds: seedsFrom(from, count),
    result: `${refused} refused, ${landed} with new checksums imported completely, ${failures.length} got in or broke something; stored: ${kept.result}`,
    control: `all with new checksums: ${control.landed} of ${control.refused + control.landed} imported; pages without checksums: ${kept.control} wrong`,
    browsers: '',
  }
}

async function runStored(sqlite3: Sqlite3Static, from: number, count: number) {
  const all: StoredCounts[] = []
  const run = async (target: Target, most = count) => {
    const startedMs = performance.now()
    const counts = await runTarget(target, from, most)
    tell(target.title, counts, performance.now() - startedMs)
    return counts
  }
  all.push(await run(await databaseTarget(sqlite3)))
  all.push(await run(await journalTarget(sqlite3)))
  all.push(await run(await headTarget(sqlite3)))
  all.push(await run(await pagedTarget()))
  const graphs = runGraphMutants(from, 10 * count)
  tell('graph', graphs, 0)
  all.push(graphs)
  const control = await run(await databaseTarget(sqlite3, true), Math.min(count, 100))
  const sum = (measure: (counts: StoredCounts) => number) => all.reduce((total, counts) => total + measure(counts), 0)
  for (const { wrong } of all) for (const line of wrong) print(`  ${line}`)
  return {
    isGreen: sum(({ wrong }) => wrong.length) === 0 && control.wrong.length > 0,
    result: `${sum(({ right }) => right)} as they were, ${sum(({ corrupt }) => corrupt)} refused, ${sum(({ wrong }) => wrong.length)} wrong; salvaged: ${sum(({ salvaged }) => salvaged.records)} of ${sum(({ salvaged }) => salvaged.stood)} records`,
    control: control.wrong.length,
  }
}

function tell(title: string, { right, corrupt, unchanged, salvaged, wrong }: StoredCounts, tookMs: number): void {
  print(
    `${title}: ${right} as they were, ${corrupt} refused, ${unchanged} not changed, ${wrong.length} wrong, ${Math.round(tookMs / 1000)} s`,
  )
  const { records, stood, none, all } = salvaged
  if (stood > 0)
    print(`  salvaged of those refused: ${records} of ${stood} records, all of ${all} stores, nothing of ${none}`)
}
