/** Tests what every command of the table has: completion of its options. */
import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'

async function scrubjay(args: readonly string[]) {
  const texts = { output: '', errors: '' }
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk)
        done()
      },
    })
  const code = await runCli(args, {
    input: Readable.from([]),
    output: collect('output'),
    errors: collect('errors'),
    environment: {},
    signal: new AbortController().signal,
  })
  return { code, ...texts }
}

test.each(['bash', 'zsh', 'fish'])('completion for %s names each command and its options', async (shell) => {
  // A command without a store has no embedder.
  expect(await scrubjay(['completion', shell, '--embedder', 'none'])).toMatchObject({ code: 2, output: '' })
  const { output: script } = await scrubjay(['completion', shell])
  for (const word of ['import', 'watch', 'ask', 'completion', 'time-zone']) expect(script).toContain(word)
})
