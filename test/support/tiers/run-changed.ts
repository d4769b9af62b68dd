/**
 * The program of `npm run test:changed`: runs the tests that the changes of the working tree reach, for at most half a minute, and says
 * how many it left out. `--seconds 60` raises the bound.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { changedFiles, chooseTests, root, usualSeconds } from './choose-tests.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
/** The runner needs ten seconds to begin; two processes run the files. */
const budget = Math.max(5, 1.2 * (Number(values.seconds) - 10))

const changed = changedFiles()
const { chosen, reaching } = chooseTests(changed, budget)
const seconds = Math.ceil(chosen.reduce((sum, file) => sum + usualSeconds(file), 0))
process.stdout.write(
  `${changed.length} changed files reach ${reaching} test files; running ${chosen.length} of them, about ${seconds} s of processor time\n`,
)
if (chosen.length > 0) {
  const args = ['run', '--project', 'node', ...chosen]
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SCRUBJAY_SIZE: process.env['SCRUBJAY_SIZE'] ?? '0.25' },
  })
  process.exitCode = status ?? 1
}
