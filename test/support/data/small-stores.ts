/** Small stores of facts of one person, everyday questions with a word of the fact that answers, and messages that none of them concerns. */
import { readFileSync } from 'node:fs'
import { messagesToRecords } from '../../../src/core/ingest/messages-to-records.ts'
import { staticEmbedder } from '../../../src/embedders/index.ts'
import { ownTables } from '../../../src/embedders/static-embedder.ts'
import { openEngine } from '../stores/open-engine.ts'

interface SmallStore {
  readonly name: string
  readonly facts: readonly string[]
  readonly questions: readonly { readonly text: string; readonly needs: string }[]
}

const text = readFileSync(new URL('../../fixtures/small-stores.txt', import.meta.url), 'utf8')
const sections = text.split(/^# /m).slice(1)

export const smallStores: readonly SmallStore[] = sections.map((section) => {
  const [name = '', ...lines] = section.trimEnd().split('\n')
  const questions = lines.flatMap((line) => {
    const [question = '', needs = ''] = line.slice(2).split(' | ')
    return line.startsWith('? ') ? [{ text: question, needs }] : []
  })
  return { name, facts: lines.filter((line) => !/^[?!] /.test(line)), questions }
})

/** Small talk, and questions about the world. */
export const strangeMessages: readonly string[] = text
  .split('\n')
  .flatMap((line) => (line.startsWith('! ') ? [line.slice(2)] : []))

const table = staticEmbedder()

/** As the middleware asks with its defaults. */
export async function openSmallStore({ name, facts }: SmallStore) {
  const { call } = await openEngine({ space: { name: table.space, dimensions: table.dimensions } }, ownTables({}))
  const start = Date.UTC(2026, 1, 1)
  const messages = facts.map((content, i) => ({ role: 'user', content, createdAt: start + i * 86_400_000 }))
  await call('put', { batch: messagesToRecords(messages, { session: name, position: 'time' }) })
  return {
    ask: (question: string, more: object = {}) =>
      call('assemble', {
        query: { text: question, maxTokens: 1000, minEvidence: 'weak', roles: ['user'], ...more },
      }),
    close: () => call('close', {}),
  }
}
