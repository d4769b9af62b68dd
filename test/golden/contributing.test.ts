/** Checks the transcript of CONTRIBUTING.md: its edit can be made, reaches the tests that it names, and moves the records that it names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { policies } from '../../src/core/policies/policies.ts'
import { answersOfBalanced, movesBetween } from '../support/stores/readable-answers.ts'
import { chooseTests, root } from '../support/tiers/choose-tests.ts'

const [, transcript = ''] = /```text\n([^]*?)```/.exec(read('CONTRIBUTING.md')) ?? []
const edit = /^\$ sed -i 's\/terms: ([\d.]+),\/terms: ([\d.]+),\/' (\S+)$/m.exec(transcript) ?? []
const [, before = '', after = '', edited = ''] = edit

test('the edit finds its line', () => {
  expect(read(edited).split(`terms: ${before},`)).toHaveLength(2)
})

test('the failing tests exist, and are those that run first', () => {
  const named = [...transcript.matchAll(/^× (\S+): (.*)$/gm)]
  expect(named).toHaveLength(2)
  for (const [, file = '', name = ''] of named) expect(read(file)).toContain(`'${name}'`)
  // Half of what half a minute holds.
  const { chosen } = chooseTests([edited], 12)
  expect(chosen).toEqual(expect.arrayContaining(named.map(([, file]) => file)))
})

test('[D1] the records move as it says', async () => {
  const shown = [...transcript.matchAll(/^ {2}(balanced \| .*)$/gm)].map(([, line]) => line)
  expect(shown.length).toBeGreaterThan(0)
  const { fusion } = policies.balanced
  if (fusion.kind !== 'convex') throw new Error('balanced must fuse by a convex sum')
  const changed = { ...policies.balanced, fusion: { ...fusion, terms: Number(after) } }
  const golden = read('test/golden/answers.txt').trimEnd().split('\n')
  expect(movesBetween(golden, await answersOfBalanced(changed))).toEqual(expect.arrayContaining(shown))
})

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
