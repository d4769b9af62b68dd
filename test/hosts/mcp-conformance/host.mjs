/**
 * Runs the public conformance suite against `npx scrubjay mcp`, with the scenarios that each version of the protocol requires. Prints each
 * scenario with its result. Each one must pass, or be in the list of those that do not apply (scenarios.mjs).
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBridge } from './bridge.mjs'
import { applicable, checkReasons, reasonOf, reasons } from './scenarios.mjs'

const server = ['npx', '--no-install', 'scrubjay', 'mcp', '--store', 'memory.sqlite', '--embedder', 'none', '--quiet']

export const host = {
  async run({ app, run }) {
    await run('scrubjay put Mira_moves_the_deploy_to_Friday --store memory.sqlite --embedder none --quiet')
    const failures = []
    for (const version of Object.keys(applicable)) {
      const counts = { passed: 0, failed: 0, 'not applicable': 0 }
      const found = await resultsOf(app, version)
      const missing = applicable[version].filter((name) => !found.has(name))
      failures.push(...missing.map((name) => `${version} ${name}: the suite did not run it`))
      for (const [name, checks] of found) {
        const { verdict, more } = judge(name, checks, version)
        counts[verdict]++
        if (verdict === 'failed') failures.push(`${version} ${name}: ${more}`)
        process.stdout.write(`  ${version}  ${verdict.padEnd(14)}  ${name.padEnd(45)}  ${more}\n`)
      }
      const sum = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`)
      process.stdout.write(`  ${version}  ${sum.join(', ')}\n`)
    }
    if (failures.length > 0) throw new Error(failures.join('\n'))
  },
}

/** The checks of each scenario, in the order of the run. */
async function resultsOf(app, version) {
  const folder = join(app, `results-${version}`)
  await mkdir(folder)
  const bridge = await openBridge(server, app)
  const args = ['--no-install', 'conformance', 'server', '--url', bridge.url, '--requirements', version, '-o', folder]
  // It ends with an error, because it counts scenarios that do not apply as failed.
  await new Promise((resolve) => {
    execFile('npx', args, { cwd: app, maxBuffer: 64 * 1024 * 1024, timeout: 600_000 }, resolve)
  })
  await bridge.close()
  const results = new Map()
  for (const entry of (await readdir(folder)).sort()) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(entry)?.[1] ?? entry
    results.set(name, JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8').catch(() => '[]')))
  }
  return results
}

/** Every message must fit the schema of its version, in scenarios that do not apply, too. */
function judge(name, checks, version) {
  const isApplicable = applicable[version].includes(name)
  const reason = isApplicable ? undefined : reasonOf(reasons, name)
  const judged = checks.filter(({ id }) =>
    reason === undefined ? reasonOf(checkReasons, id) === undefined : id === 'wire-schema-valid',
  )
  const wrong = judged.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  if (wrong.length > 0)
    return { verdict: 'failed', more: wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('; ') }
  if (reason !== undefined) return { verdict: 'not applicable', more: reason }
  const passed = judged.filter(({ status }) => status === 'SUCCESS').length
  if (!isApplicable || passed === 0)
    return { verdict: 'failed', more: isApplicable ? 'no check ran' : 'is in no list of scenarios.mjs' }
  const left = checks.length - passed
  return { verdict: 'passed', more: `${passed} checks${left > 0 ? `, ${left} not applicable` : ''}` }
}
