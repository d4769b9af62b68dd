/**
 * Records what each test file costs, if SCRUBJAY_TIMES names a file: one line of JSON a test file, which `npm run timings` reads.
 * Processor time is that of the process alone, so it means something on a busy machine; programs that a test starts are not in it.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

const target = process.env['SCRUBJAY_TIMES']

if (target) {
  const cpu = process.cpuUsage()
  const from = performance.now()
  afterAll(() => {
    const { user, system } = process.cpuUsage(cpu)
    const file = relative(process.cwd(), expect.getState().testPath ?? '')
    const line = { file, cpuMs: Math.round((user + system) / 1000), wallMs: Math.round(performance.now() - from) }
    appendFileSync(target, `${JSON.stringify(line)}\n`)
  })
}
