/**
 * Checks the last line of `.ci/run`: it says "0 failed" only when each stage passed. Runs the script with stand-ins
 * for npm and node.
 */
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../support/install-package.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrubjay-ci-'))
  await mkdir(join(folder, '.ci'))
  await mkdir(join(folder, 'bin'))
  await copyFile(join(root, '.ci/run'), join(folder, '.ci/run'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

interface Stages {
  /** What `npm run test:all` prints, and its exit code. */
  readonly tests: readonly [line: string, code: number]
  /** What the hosts print, and their exit code. */
  readonly hosts?: readonly [line: string, code: number]
  /** The stage with this word fails. */
  readonly failing?: string
}

async function runCi({ tests: [line, code], hosts = ['3 passed, 0 failed', 0], failing = 'nothing' }: Stages) {
  const script = async (path: string, text: string) => {
    await writeFile(join(folder, path), `#!/bin/bash\n${text}\n`)
    await chmod(join(folder, path), 0o755)
  }
  await script(
    'bin/npm',
    `case "$*" in *test:all) echo "${line}"; exit ${code};; *hosts*) echo "${hosts[0]}"; exit ${hosts[1]};; *${failing}*) exit 1;; esac`,
  )
  await script('bin/node', `case "$*" in *${failing}*) exit 1;; esac`)
  await script('.ci/install-browsers.sh', 'exit 0')
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  return new Promise<{ readonly code: number; readonly lines: readonly string[] }>((resolve) => {
    execFile('bash', [join(folder, '.ci/run')], { env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), lines: stdout.trim().split('\n') }),
    )
  })
}

describe('the last line of .ci/run', () => {
  it('adds the stages to the tests', async () => {
    const { code, lines } = await runCi({
      tests: ['50 passed, 0 failed, 2 skipped', 0],
      hosts: ['30 passed, 0 failed', 0],
    })
    expect(lines.at(-1)).toMatch(/^\d+ passed, 0 failed, 2 skipped$/)
    expect(Number.parseInt(lines.at(-1) ?? '')).toBeGreaterThan(80)
    expect(code).toBe(0)
  })

  it.each(['lint', 'types', 'torture', 'bench'])('counts a failed stage and names it: %s', async (failing) => {
    const { code, lines } = await runCi({ tests: ['5 passed, 0 failed', 0], failing })
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed$/)
    expect(lines.at(-2)).toContain(failing)
    expect(code).toBe(1)
  })

  it.each<[string, number]>([
    ['2 passed, 1 failed', 1],
    ['3 passed, 0 failed', 1],
    ['the runner died', 1],
    ['the runner died', 0],
  ])('counts and names the hosts, which run beside other stages: %s, exit %i', async (...hosts) => {
    const { code, lines } = await runCi({ tests: ['5 passed, 0 failed', 0], hosts })
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed$/)
    expect(lines.at(-2)).toBe('failed: hosts')
    expect(lines.slice(lines.indexOf('== the end of what hosts printed'))).toContain(hosts[0])
    expect(code).toBe(1)
  })

  it.each<[string, number, number]>([
    ['5 passed, 2 failed', 1, 2],
    ['5 passed, 0 failed', 1, 1],
    ['the runner died', 0, 1],
  ])(
    'adds the counts that a stage prints, and counts a stage without counts: %s, exit %i',
    async (line, exit, failed) => {
      const { code, lines } = await runCi({ tests: [line, exit] })
      expect(lines.at(-1)).toMatch(new RegExp(`^\\d+ passed, ${failed} failed$`))
      expect(lines.at(-2)).toBe('failed: tests')
      expect(lines.slice(lines.indexOf('== the end of what tests printed'))).toContain(line)
      expect(code).toBe(1)
    },
  )
})
