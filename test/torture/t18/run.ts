/**
 * T18: the tests with random cases, many times as many as `npm run test:all` takes. Red when one fails, and when no control is
 * among them.
 */
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../support/install-package.ts'
import { type Outcome, print } from '../outcome.ts'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

const suites = [
  'test/property',
  'test/parity',
  'test/unit/core/decide-laws.test.ts',
  'test/unit/text/text-stem.test.ts',
  'test/integration/storage/file/damaged-trees.test.ts',
  'test/integration/storage/merge-meetings.test.ts',
  'test/integration/storage/paged/paged-storage.test.ts',
  'test/integration/storage/salvage.test.ts',
  // 1,000 questions to a server and to an ordinary store.
  'test/integration/server/server.test.ts',
]
/** ms for each of the usual size. */
const testTimeout = 120_000

/** `--size`: how many times as many cases. */
export async function runRandomCases(args: readonly string[]): Promise<Outcome> {
  const { values } = parseArgs({ args: [...args], options: { size: { type: 'string', default: '10' } } })
  const report = join(tmpdir(), `scrubjay-t18-${process.pid}.json`)
  try {
    await runVitest(Number(values.size), report)
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const failed = tests.filter(({ status }) => status === 'failed')
    const passed = tests.filter(({ status }) => status === 'passed')
    const controls = passed.filter(({ fullName }) => /control/.test(fullName))
    for (const { fullName } of failed.slice(0, 20)) print(`  failed: ${fullName}`)
    return {
      isGreen: failed.length === 0 && controls.length > 0,
      size: `${values.size} times the cases`,
      seeds: 'of each file',
      result: `${passed.length} tests passed, ${failed.length} failed`,
      control: `${controls.length} controls passed`,
      browsers: '',
    }
  } finally {
    await rm(report, { force: true })
  }
}

function runVitest(size: number, report: string): Promise<void> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['--project=node', '--silent', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...options, `--testTimeout=${testTimeout * Math.max(1, size)}`, ...suites],
    { cwd: root, stdio: 'inherit', env: { ...process.env, SCRUBJAY_SIZE: String(size) } },
  )
  return new Promise((done, reject) => child.once('error', reject).once('close', () => done()))
}
