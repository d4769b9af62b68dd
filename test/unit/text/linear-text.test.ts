/**
 * [G4] Checks that every pure function that reads text takes linear time, whatever the text. The functions are found
 * by listing the modules: a new one is timed, or the first test fails and says what to do.
 */
import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hostileRuns } from '../../support/data/hostile-runs.ts'
import { excessiveGrowth, type HostileRun } from '../../support/growth.ts'
import { otherTextFunctions } from '../../support/texts/other-text-functions.ts'
import { otherFolders, textFolders } from '../../support/texts/text-folders.ts'
import { type OfText, textFunctions } from '../../support/texts/text-functions.ts'
import { untimedFunctions } from '../../support/texts/untimed-functions.ts'
import { isQuick } from '../../support/tiers/tiers.ts'

// Seconds on a separate machine; the test judges growth, not this value.
vi.setConfig({ testTimeout: 300_000 })

// Modules of core that an earlier file ran have patterns compiled without the flag below.
vi.hoisted(() => vi.resetModules())

// V8 skips places where a pattern cannot match, until a process has compiled many patterns. It must never be needed.
beforeAll(() => setFlagsFromString('--no-regexp-optimization'))
afterAll(() => setFlagsFromString('--regexp-optimization'))

const core = new URL('../../../src/core/', import.meta.url)
/** `npm test` takes a quarter of them. */
const usedRuns = isQuick ? hostileRuns.filter((_, i) => i % 4 === 0) : hostileRuns

describe('the list of text functions', () => {
  test('[G4] contains every function that core exports from its folders of text', async () => {
    const exported: string[] = []
    for (const folder of textFolders) {
      const modules = readdirSync(new URL(folder, core), { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.ts'),
      )
      for (const file of modules) {
        const module = (await import(new URL(`${folder}/${file}`, core).pathname)) as Record<string, unknown>
        for (const [name, value] of Object.entries(module))
          if (typeof value === 'function') exported.push(`${folder}/${file} ${name}`)
      }
    }
    const unknown = exported.filter((name) => !Object.hasOwn(textFunctions, name) && !untimedFunctions.has(name))
    expect(
      unknown,
      'Add each of these to `textFunctions` of test/support/texts/text-functions.ts, as a function of one text; or, if it reads no text of any length, to `untimed` of untimed-functions.ts under its reason',
    ).toEqual([])
    const listed = [...Object.keys(textFunctions), ...untimedFunctions]
    expect(
      listed.filter((name) => !exported.includes(name)),
      'Remove what core no longer exports',
    ).toEqual([])
  })

  test('[G4] knows every folder of core', () => {
    const folders = readdirSync(core, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(
      folders.map(({ name }) => name).sort(),
      'Add a new folder to `textFolders` of test/support/texts/text-folders.ts if its functions read text, else to `otherFolders`',
    ).toEqual([...textFolders, ...otherFolders].sort())
  })
})

describe('time of a hostile run', () => {
  test.each(Object.entries({ ...textFunctions, ...otherTextFunctions }))('[G4] %s', (_, work) => {
    expect(slowRuns(work, usedRuns)).toEqual([])
  })

  test('[G4] control: patterns that try every place are measured as quadratic', () => {
    const dots: HostileRun = { unit: '.', tail: 'x' }
    const matched = (pattern: RegExp) => (text: string) => text.replace(pattern, '')
    expect(slowRuns(matched(/[.,;:]+$/), [dots])).toHaveLength(1)
    expect(slowRuns(matched(/\s+$/), [{ unit: ' ', tail: 'x' }])).toHaveLength(1)
    const unclosed = (text: string) => {
      for (let at = text.indexOf('[['); at >= 0; at = text.indexOf('[[', at + 8))
        /\[\[([^[\]\n]{1,200})\]\]/.exec(text.slice(at))
    }
    expect(slowRuns(unclosed, [{ unit: '[[', tail: '' }])).toHaveLength(1)
    expect(slowRuns((text) => text.split('.').reverse().join('.'), [dots])).toEqual([])
  })
})

function slowRuns(work: OfText, runs: readonly HostileRun[]): readonly string[] {
  return runs.flatMap((run) => {
    const seen = excessiveGrowth(refusing(work), run)
    return seen === null ? [] : [`${JSON.stringify(run.unit)} with the tail ${JSON.stringify(run.tail)}: ${seen}`]
  })
}

/** A typed refusal is an answer. */
function refusing(work: OfText): OfText {
  return (text) => {
    try {
      return work(text)
    } catch (error) {
      if ((error as { name?: string }).name !== 'RecallError') throw error
      return error
    }
  }
}
