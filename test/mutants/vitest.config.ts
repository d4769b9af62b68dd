/**
 * Runs test files in one process, in the order of MUTANT_TESTS at that time, and stops at the first failure. The rest is as
 * in the project `node`.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import config from '../../vite.config.ts'

class GivenOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const files: readonly string[] = JSON.parse(process.env.MUTANT_TESTS ?? '[]')
    const placeOf = ({ moduleId }: TestSpecification) => files.findIndex((file) => moduleId.endsWith(file))
    return specifications.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

const { plugins, resolve, test } = config({ mode: 'test', command: 'serve' })
const nodeProject = test?.projects?.[0] as { readonly test: object }

export default {
  root: process.cwd(),
  plugins,
  resolve,
  cacheDir: process.env.MUTANT_CACHE,
  test: {
    ...nodeProject.test,
    // A mutant that waits without end costs a minute, not four.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    bail: 1,
    fileParallelism: false,
    maxWorkers: 1,
    pool: 'threads',
    isolate: false,
    setupFiles: [],
    experimental: { fsModuleCache: true },
    sequence: { sequencer: GivenOrder },
  },
}
