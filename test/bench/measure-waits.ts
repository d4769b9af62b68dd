/**
 * Measures how long a recall waits during long operations: `npm run bench:waits [-- --records 20000 --changes 10000
 * --write --only put,forget --browser chromium --storage opfs --out waits.json]`. The built library in a browser, a store of
 * generated records in OPFS; one recall after another during each long operation. The longest wait and the 95th
 * percentile must stay below the limits.
 */
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type BrowserKind, openBrowser } from '../support/browsers/browsers.ts'
import { bundlePage } from '../support/pages/bundle-page.ts'
import { serveFolder } from '../support/pages/static-server.ts'
import { measuredNow, writeTables } from '../support/pages/page-tables.ts'
import { quantile } from '../torture/outcome.ts'
import { type Waits, waitNames, waitsScript } from './waits-page.ts'

/** ms. */
const limits = { p95: 100, longest: 300 }
/**
 * ms: the longest wait when each write was one step of the engine, on another machine and with fewer changes: 4,000 put, 5,000 updated,
 * 3,000 forgotten, 6,000 imported, checked and compacted.
 */
const longestBefore: Readonly<Record<string, number>> = {
  put: 953,
  update: 4800,
  merge: 1100,
  mergeAgain: 700,
  replace: 1150,
  forget: 930,
  integrityCheck: 860,
  compact: 240,
}

/** Names of the page, where they differ. */
const shown: Readonly<Record<string, string>> = {
  putAtomic: 'put with `atomic`',
  put500: 'put, batches of 500',
  merge: 'import, merge',
  mergeAgain: 'import, merge, again',
  replace: 'import, replace',
  forget: 'forget by ids',
  forgetScope: 'forget by scope',
  reembed: 're-embed',
  integrityCheck: '`integrityCheck`',
  compact: '`compact`',
}

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    changes: { type: 'string', default: '10000' },
    only: { type: 'string', default: waitNames.join(',') },
    browser: { type: 'string', default: 'chromium' },
    storage: { type: 'string', default: 'opfs' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const commit = values.write ? measuredNow() : null
const page = await bundlePage(waitsScript)
const site = await serveFolder(page.folder)
const browser = await openBrowser(values.browser as BrowserKind, { evaluateTimeoutMs: 1_200_000 })
const measured: Waits[] = []
const startMs = performance.now()
try {
  const tab = await browser.page(`${site.url}/`)
  await tab.evaluate(`(...given) => fill(...given)`, Number(values.records), values.storage)
  print('| while this runs | took, ms | recalls | wait p50, ms | p95 | longest | before | |')
  print('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |')
  for (const name of values.only.split(',')) {
    const waits = await tab.evaluate<Waits>(`(...given) => measure(...given)`, name, Number(values.changes))
    measured.push(waits)
    print(rowOf(waits))
  }
} finally {
  await browser.close()
  await site.close()
  await page.remove()
}
const [load] = loadavg()
print(`\n${((performance.now() - startMs) / 60_000).toFixed(1)} minutes in all`)
print(`\n${values.records} records, ${values.changes} changed, ${values.storage}; ${browser.kind} ${browser.version}; `)
print(
  `${cpus().length} × ${cpus()[0]?.model}, load ${load?.toFixed(1)}; limits: p95 ${limits.p95} ms, longest ${limits.longest} ms`,
)
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(measured, null, 2))
if (commit !== null) {
  const lines = measured.map(({ name, waitsMs }) => {
    const at = (share: number) => quantile(waitsMs, share).toFixed(0)
    const before = longestBefore[name]?.toLocaleString('en-GB') ?? ''
    return `| ${shown[name] ?? name} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${before} |`
  })
  const table = ['| while this runs | p50 | p95 | longest | before |', '|---|---:|---:|---:|---:|', ...lines].join('\n')
  const machine = `, on ${cpus().length} × ${cpus()[0]?.model} at load ${load?.toFixed(1)}, with ${browser.kind} ${browser.version}.`
  writeTables('docs/data/waits.tsv', 'npm run bench write waits', table, commit, machine)
}
process.exitCode = measured.every(isWithin) ? 0 : 1

function rowOf(waits: Waits): string {
  const { name, tookMs, waitsMs, failure } = waits
  const at = (share: number) => quantile(waitsMs, share).toFixed(0)
  const verdict = failure ?? (isWithin(waits) ? '' : 'too long')
  return `| ${name} | ${tookMs.toFixed(0)} | ${waitsMs.length} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${longestBefore[name] ?? ''} | ${verdict} |`
}

function isWithin({ waitsMs, failure }: Waits): boolean {
  return failure === null && quantile(waitsMs, 0.95) <= limits.p95 && quantile(waitsMs, 1) <= limits.longest
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
