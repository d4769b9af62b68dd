/** Chooses the embedder of a command's store by `--embedder`. */
import { recallError } from '../../core/model/errors.ts'
import type { Embedder } from '../../protocol/embedder.ts'
import { choiceOf, type Given } from './arguments.ts'

/** The option `embedder` of `openRecall`; undefined for the built-in one. Throws `INVALID_ARGUMENT` if a package is missing. */
export async function embedderOf(given: Given): Promise<Embedder | null | undefined> {
  const name = choiceOf(given, 'embedder', ['builtin', 'minilm', 'none'])
  if (name === 'none') return null
  return name === 'minilm' ? (await loadMinilm()).minilmEmbedder() : undefined
}

async function loadMinilm(): Promise<{ minilmEmbedder(): Embedder }> {
  // A name in a variable: the package is optional, and its types need not be installed.
  const name = 'scrubjay-minilm'
  return import(name).catch((error: unknown) => {
    throw recallError('INVALID_ARGUMENT', `must be installed: ${error instanceof Error ? error.message : error}`, {
      field: '--embedder',
      value: 'minilm',
      hint: 'Run npm install scrubjay-minilm where scrubjay is installed, or npx -p scrubjay -p scrubjay-minilm scrubjay ….',
    })
  })
}
