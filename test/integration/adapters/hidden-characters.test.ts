/** Stores hostile texts and reads them through every border to a model, a terminal or a list: no character is hidden, and one record is one line [X2]. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { openRecall, type Recall } from '../../../src/index.ts'
import { createMcpServer, type McpTransport } from '../../../src/mcp/index.ts'
import { answerTool } from '../../../src/tools/index.ts'
import { createRandom } from '../../support/data/random.ts'
import { hostileText, unseenIn } from '../../support/hostile-texts.ts'

const random = createRandom(21)
const folder = mkdtempSync(join(tmpdir(), 'scrubjay-hidden-'))
const path = join(folder, 'hostile.sqlite')
const records = Array.from({ length: 60 }, (_, i) => ({
  id: `${hostileText(random)}${i}`,
  title: i % 4 === 0 ? null : hostileText(random),
  body: `${hostileText(random)} deploy the acorn ${hostileText(random)}`,
  kind: `${hostileText(random, false)}`,
  tags: [hostileText(random), 'plain'],
  metadata: { [`key ${hostileText(random)}`]: hostileText(random) },
}))
const readable = ['🪶 ❤️ 1️⃣', 'שלום عليكم', '日本語', 'a\tb', 'naïve <b>&amp;</b>']

let store: Recall
let mcp: Client

beforeAll(async () => {
  store = await openRecall({ path, embedder: null })
  const { records: outcomes } = await store.put(records)
  expect(outcomes.filter(({ outcome }) => outcome !== 'inserted')).toEqual([])
  const [near, far] = InMemoryTransport.createLinkedPair()
  mcp = new Client({ name: 'test', version: '1' })
  await createMcpServer(store).connect(far as McpTransport)
  await mcp.connect(near)
})

afterAll(async () => {
  await mcp?.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('[X2] every answer of a tool shows each character, and takes the ids that it showed', async () => {
  const question = { query: 'deploy acorn' }
  const answers: unknown[] = [
    await answerTool(store, 'recall', { ...question, limit: 40 }),
    await answerTool(store, 'assemble', { task: 'deploy acorn', maxTokens: 4000, limit: 40 }),
    await answerTool(store, 'remember', {
      text: hostileText(random),
      title: hostileText(random),
      tags: [hostileText(random)],
    }),
    await answerTool(store, hostileText(random), {}),
    await answerTool(store, 'recall', { [hostileText(random)]: 1 }),
    await answerTool(store, 'recall', { query: 7, kind: hostileText(random) }),
    await answerTool(store, 'forget', { ids: [hostileText(random)] }),
    await answerTool(store, 'why', { ...question, id: hostileText(random) }),
  ]
  const { records: shown } = answers[0] as { records: { id: string }[] }
  expect(shown.length).toBeGreaterThan(20)
  for (const { id } of shown.slice(0, 5)) {
    const why = await answerTool(store, 'why', { ...question, id })
    expect(why).toMatchObject({ selected: true })
    answers.push(why)
  }
  const victim = shown[0]!.id
  const forgotten = await answerTool(store, 'forget', { ids: [victim] })
  expect(forgotten).toEqual({ forgotten: [victim], missing: [] })
  for (const answer of [...answers, forgotten])
    expect(unseenIn(JSON.stringify(answer)), JSON.stringify(answer)).toEqual([])
  // control: the store holds what the answers do not hide.
  expect(unseenIn(records.map(({ body }) => body).join('')).length).toBeGreaterThan(60)
})

test('[X2] texts that hide nothing stay as they are', async () => {
  for (const text of readable) {
    const { id } = (await answerTool(store, 'remember', { text: `unusual ${text}` })) as { id: string }
    const { records: shown } = (await answerTool(store, 'recall', { query: 'unusual', limit: 50 })) as {
      records: { id: string; text: string }[]
    }
    expect(shown.find((record) => record.id === id)?.text).toBe(`unusual ${text}`)
    await store.forget(id)
  }
})

test('[X2] resources, prompts and errors of the MCP server show each character', async () => {
  const { resources } = await mcp.listResources()
  expect(resources.length).toBeGreaterThan(50)
  const answers: unknown[] = [resources]
  for (const { name, description = '' } of resources) expect(`${name}${description}`).not.toMatch(/[\r\n]/)
  for (const { uri } of resources.slice(0, 10)) {
    const { contents } = await mcp.readResource({ uri })
    const { text } = contents[0] as { text: string }
    expect(unseenIn(text.replaceAll('\n', ''))).toEqual([])
    expect(JSON.parse(text)).toMatchObject({ id: decodeURIComponent(uri.slice('scrubjay://record/'.length)) })
  }
  for (const name of ['context', 'answer'])
    answers.push(
      await mcp.getPrompt({
        name,
        arguments: { [name === 'context' ? 'task' : 'question']: `deploy ${hostileText(random)}` },
      }),
    )
  for (const wrong of [
    () => mcp.callTool({ name: hostileText(random), arguments: {} }),
    () => mcp.readResource({ uri: `scrubjay://record/${hostileText(random)}` }),
    () => mcp.readResource({ uri: hostileText(random) }),
    () => mcp.getPrompt({ name: hostileText(random), arguments: {} }),
    () => mcp.getPrompt({ name: 'context', arguments: { task: 'x', maxTokens: hostileText(random) } }),
  ])
    answers.push(
      await wrong().catch(({ message, data }: { message: string; data: unknown }) => {
        expect(message).not.toMatch(/[\r\n]/)
        return { message, data }
      }),
    )
  for (const answer of answers) expect(unseenIn(JSON.stringify(answer)), JSON.stringify(answer)).toEqual([])
})

test('a URI of a megabyte is refused, and does not come back', async () => {
  const error = await mcp
    .readResource({ uri: `scrubjay://record/${'x'.repeat(1_000_000)}` })
    .catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: -32_602 })
  expect(JSON.stringify([error, (error as Error).message]).length).toBeLessThan(10_000)
})

test('[X2] every line of the command line shows each character, and one record is one line', async () => {
  const ids = (await store.list({ limit: 20 })).items.map(({ id }) => id)
  await store.close()
  const words = ['--embedder', 'none', '--store', path]
  const lines = async (...args: readonly string[]) => {
    const text = await scrubjay([...args, ...words])
    expect(unseenIn(text.replaceAll('\n', '')), args.join(' ')).toEqual([])
    return text.trimEnd().split('\n')
  }
  expect(await lines('list', '--limit', '10')).toHaveLength(11)
  const hits = await lines('recall', 'deploy acorn', '--limit', '5')
  expect(hits.filter((line) => /^\d+\. /.test(line))).toHaveLength(5)
  for (const line of hits) expect(line).toMatch(/^(?:evidence: |\d+\. | {3})/)
  await lines('list', '--json')
  await lines('recall', 'deploy', '--json')
  await lines('status')
  await lines('forget', hostileText(random))
  await lines('put', 'x', '--id', hostileText(random), '--tag', hostileText(random))
  await lines('recall', 'deploy', '--policy', hostileText(random))
  await lines(hostileText(random))
  await lines('list', '--project', hostileText(random))
  expect(await lines('forget', ids[7]!)).toEqual(['forgotten: 1'])
})

/** What the program prints, on both streams. */
async function scrubjay(args: readonly string[]): Promise<string> {
  let text = ''
  const collect = () =>
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    })
  await runCli(args, {
    input: Readable.from([Buffer.from('')]),
    output: collect(),
    errors: collect(),
    environment: {},
    signal: new AbortController().signal,
  })
  return text
}
