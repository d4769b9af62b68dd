/**
 * A process that runs test files on request, one after another, until one fails. It keeps what the bundler has made of the sources, which
 * costs more time than most tests. Started by run-tests.ts, which ends it when a mutant never ends.
 */
import { relative } from 'node:path'
import { createVitest, type Reporter, type TestModule } from 'vitest/node'
import type { Answer, Request } from './run-tests.ts'

const root = process.cwd()
/** Files of this run that have ended: the results of earlier runs stay in the state of vitest. */
let ended: TestModule[] = []
const reporter: Reporter = {
  onTestModuleStart({ moduleId }) {
    process.send?.({ running: relative(root, moduleId) })
  },
  onTestModuleEnd(module) {
    ended.push(module)
  },
}

async function main(): Promise<void> {
  const options = { config: 'test/mutants/vitest.config.ts', watch: false, reporters: [reporter] }
  const vitest = await createVitest('test', options)
  const project = vitest.projects[0] as (typeof vitest.projects)[number]
  const run = async ({ files, changed }: Request): Promise<Answer> => {
    // The order of the files, for vitest.config.ts.
    process.env.MUTANT_TESTS = JSON.stringify(files)
    for (const path of changed) vitest.invalidateFile(path)
    ended = []
    const specifications = files.map((file) => project.createSpecification(`${root}/${file}`))
    const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
    const modules = ended.map((module) => {
      const [failed] = [...module.children.allTests('failed')]
      const [error] = failed?.result().errors ?? module.errors()
      return {
        file: relative(root, module.moduleId),
        state: module.state(),
        durationMs: module.diagnostic().duration,
        reason: error === undefined ? '' : `${failed?.fullName ?? 'the file'}: ${error.message}`,
      }
    })
    return { modules, unhandled: unhandledErrors.map((error) => String((error as Error).message ?? error)) }
  }
  process.on('message', (request: Request) => {
    run(request).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ modules: [], unhandled: [String(error)] }),
    )
  })
  process.send?.('ready')
}

await main()
