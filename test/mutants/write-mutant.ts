/** Writes a mutant into the scratch copy of the tree: into its source, and into the built programs if one of its tests runs them. */
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFrom, runsPrograms } from './related-tests.ts'

/** `tests`: paths of the test files that run. Returns how to undo it. */
export function writeMutant(scratch: string, file: string, text: string, tests: readonly string[]): () => void {
  const path = join(scratch, file)
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, text)
  const restore = () => writeFileSync(path, before)
  const read = readFrom(scratch)
  if (!file.startsWith('src/') || !tests.some((test) => runsPrograms(read(test)))) return restore
  const built = join(scratch, 'dist/src')
  cpSync(built, `${built}-before`, { recursive: true })
  execFileSync('npx', ['tsx', 'bundle/build.ts', '--modules'], { cwd: scratch, stdio: 'ignore' })
  return () => {
    restore()
    rmSync(built, { recursive: true })
    renameSync(`${built}-before`, built)
  }
}
