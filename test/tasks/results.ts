/** Collects which tasks were done in which conditions, and prints one table for each app. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { type Condition, traits } from './conditions.ts'
import type { Person } from './person.ts'

/** Screenshots and tables. */
export const picturesFolder = process.env['SCRUBJAY_PICTURES'] ?? join(tmpdir(), 'scrubjay-tasks')

/** A task of the app's README, in its order. `at` is the condition of the run. */
export type Task = readonly [name: string, steps: (person: Person, condition: Condition) => Promise<void>]

export interface Results {
  /** Declares a test for each task; each begins where the one before ended. */
  run(tasks: readonly Task[], condition: Condition, person: () => Person): void
  /** Prints the table. */
  report(): void
}

export function resultsOf(app: string): Results {
  const done = new Map<string, Map<Condition, boolean>>()
  return { run, report }

  function run(tasks: readonly Task[], condition: Condition, person: () => Person): void {
    for (const [place, [name, steps]] of tasks.entries()) {
      const row = `${place + 1}. ${name}`
      const outcomes = done.get(row) ?? new Map<Condition, boolean>()
      done.set(row, outcomes)
      test(row, async () => {
        outcomes.set(condition, false)
        const worker = person()
        await worker.begin(`${app}-${condition.name}-${String(place + 1).padStart(2, '0')}`)
        try {
          await steps(worker, condition)
        } finally {
          await worker.look('end')
        }
        await worker.check()
        outcomes.set(condition, true)
      })
    }
  }

  function report(): void {
    const width = Math.max(...[...done.keys()].map((name) => name.length))
    const head = `| ${app.padEnd(width)} | ${traits.join(' | ')} |`
    const line = `| ${'-'.repeat(width)} | ${traits.map((name) => '-'.repeat(name.length)).join(' | ')} |`
    const rows = [...done].map(([name, outcomes]) => {
      const cells = traits.map((trait) => {
        const runs = [...outcomes].filter(([condition]) => condition.traits.includes(trait))
        const mark = runs.length === 0 ? '' : runs.every(([, isDone]) => isDone) ? 'done' : 'NOT'
        return mark.padEnd(trait.length)
      })
      return `| ${name.padEnd(width)} | ${cells.join(' | ')} |`
    })
    const table = [head, line, ...rows].join('\n')
    mkdirSync(picturesFolder, { recursive: true })
    writeFileSync(join(picturesFolder, `${app}.md`), `${table}\n`)
    process.stdout.write(`\n${table}\nScreenshots: ${picturesFolder}\n`)
  }
}
