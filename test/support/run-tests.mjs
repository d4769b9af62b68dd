/**
 * The program of `npm test`, with `--all` of `npm run test:all`, with `--everywhere` of `npm run test:everywhere`: installs browsers where possible, builds when the build is stale,
 * runs the tests of the tier (tiers/tiers.ts), and ends with one line that counts them. Tests in Node run at the same time as those in
 * browsers, which wait for half of their time; with one processor, after them. Other arguments are passed to vitest, which then chooses
 * among all tests. Fails when a test fails and also when none ran.
 */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, setPriority, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const buildStamp = join(root, 'node_modules/.cache/scrubjay/built')
const buildInputs = [
  'src',
  'worker',
  'bundle',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'worker-plugins.ts',
]
/** One browser, a quarter of the random cases. */
const quickTier = { SCRUBJAY_TIER: 'quick', SCRUBJAY_SIZE: '0.25', SCRUBJAY_BROWSERS: 'chromium' }
// A filter (`-t`) skips hundreds; a missing browser skips one line.
const maxSkippedNames = 20
const maxReasonLines = 12

process.exitCode = await main(process.argv.slice(2))

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} exit code
 */
async function main(args) {
  const isQuick = args.length === 0
  const vitestArgs = args.filter((arg) => arg !== '--all' && arg !== '--everywhere')
  if (args.includes('--everywhere')) process.env['SCRUBJAY_EVERYWHERE'] = '1'
  if (isQuick) Object.assign(process.env, { ...quickTier, ...process.env })
  if (process.getuid?.() === 0) {
    const installed = await run('sh', ['.ci/install-browsers.sh', ...(isQuick ? ['chromium', 'postgresql'] : [])])
    // Offline, for example: the tests then report which browser is missing.
    if (installed !== 0) print('browsers: the installation failed; going on with what is there')
  }
  if (isBuildStale() && !(await build())) {
    print('The build failed, so no test ran.')
    print('0 passed, 1 failed')
    return 1
  }

  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-report-'))
  try {
    const reportOf = (/** @type {string} */ name) => join(folder, `${name}.json`)
    const isOneProject = vitestArgs.some((arg) => arg.startsWith('--project'))
    if (isOneProject || availableParallelism() === 1) {
      return conclude(await runVitest(vitestArgs, reportOf('all')), [reportOf('all')])
    }
    const inBrowsers = runVitest(['--project=browser', '--passWithNoTests', ...vitestArgs], reportOf('browser'))
    const inNode = runVitestAside(['--project=node', '--passWithNoTests', ...vitestArgs], reportOf('node'), folder)
    const exitCodes = await Promise.all([inBrowsers, inNode])
    return conclude(Math.max(...exitCodes), [reportOf('node'), reportOf('browser')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {readonly string[]} args
 * @param {string} reportFile
 * @param {{ readonly output?: number, readonly niceness?: number }} [options]
 * @returns {Promise<number>} exit code
 */
function runVitest(args, reportFile, options) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  return run(process.execPath, [vitest, 'run', ...reporters, ...args], options)
}

/**
 * At somewhat lower priority, to leave the deadlines of the other run alone; its output is printed in one block at its end.
 * @param {readonly string[]} args
 * @param {string} reportFile
 * @param {string} folder
 * @returns {Promise<number>} exit code
 */
async function runVitestAside(args, reportFile, folder) {
  const log = join(folder, 'aside.log')
  const exitCode = await runVitest(args, reportFile, { output: openSync(log, 'w'), niceness: 2 })
  process.stdout.write(readFileSync(log))
  return exitCode
}

/**
 * Prints skipped and failed tests by name, then the count as the very last line.
 * @param {number} exitCode vitest's
 * @param {readonly string[]} reportFiles
 * @returns {number} exit code
 */
function conclude(exitCode, reportFiles) {
  const files = reportFiles.flatMap(readReport)
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName, failureMessages }) => ({
      status,
      name: `${relative(root, name)}: ${fullName}`,
      reason: failureMessages?.[0] ?? '',
    })),
  )
  const passed = tests.filter(({ status }) => status === 'passed')
  const failed = tests.filter(({ status }) => status === 'failed')
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')

  // A file that does not load, or a hook that throws, fails without any failed test of its own.
  const brokenFiles = files
    .filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
    )
    .map(({ name, message }) => ({ name: relative(root, name), reason: message }))
  const failures = [...failed, ...brokenFiles]
  if (exitCode !== 0 && failures.length === 0 && passed.length > 0) {
    failures.push({ name: `vitest ended with code ${exitCode}; the reason is above`, reason: '' })
  }

  for (const { name } of skipped.slice(0, maxSkippedNames)) print(`skipped  ${name}`)
  if (skipped.length > maxSkippedNames) print(`skipped  ${skipped.length - maxSkippedNames} more`)
  for (const { name, reason } of failures) {
    print(`failed   ${name}`)
    for (const line of reason.split('\n', maxReasonLines).filter(Boolean)) print(`         ${line}`)
  }
  if (passed.length + failures.length === 0) print('No test ran.')
  if (process.env['SCRUBJAY_TIER'] === 'quick') print('The other tests and browsers: npm run test:all')
  else if (process.env['SCRUBJAY_EVERYWHERE'] === undefined)
    print('Details in the other browsers: npm run test:everywhere')
  const skippedPart = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  print(`${passed.length} passed, ${failures.length} failed${skippedPart}`)
  return exitCode === 0 && failures.length === 0 && passed.length > 0 ? 0 : exitCode || 1
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: readonly string[] }} TestReport
 * @typedef {{ name: string, status: string, message: string, assertionResults: readonly TestReport[] }} FileReport
 * @param {string} reportFile
 * @returns {readonly FileReport[]} empty when vitest fell before it could write
 */
function readReport(reportFile) {
  if (!existsSync(reportFile)) return []
  return JSON.parse(readFileSync(reportFile, 'utf8')).testResults
}

function isBuildStale() {
  // The compiler does not touch unchanged files and a failed build leaves some, so dist's own times are unreliable.
  if (!existsSync(join(root, 'dist')) || !existsSync(buildStamp)) return true
  const builtMs = statSync(buildStamp).mtimeMs
  return buildInputs.some((path) => newestMs(join(root, path)) > builtMs)
}

async function build() {
  const startedAt = new Date()
  const exitCode = await run('npm', ['run', '--if-present', 'build'])
  if (exitCode !== 0) return false
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, `${startedAt.toISOString()}\n`)
  return true
}

/**
 * @param {string} path
 * @returns {number} of the file, or of a folder and its content, so that a deletion counts, too
 */
function newestMs(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}

/**
 * Runs a program in the repository's root, with this terminal or a file for its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ readonly output?: number, readonly niceness?: number }} [options]
 * @returns {Promise<number>} exit code; 1 when it could not start or a signal ended it
 */
function run(command, args, { output, niceness = 0 } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: ['inherit', output ?? 'inherit', output ?? 'inherit'] })
    if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
    child.on('error', (error) => {
      print(`${command} could not start: ${error.message}`)
      done(1)
    })
    child.on('close', (code) => done(code ?? 1))
  })
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}
