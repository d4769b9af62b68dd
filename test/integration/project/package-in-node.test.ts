/** Checks the packed and installed package in Node: apps run, and TypeScript accepts its types. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { root, run } from '../../support/install-package.ts'
import { entries, installed } from './installed-package.ts'

describe('an app in Node', () => {
  test('opens, puts, recalls, closes and ends', async () => {
    await writeFile(join(installed.app, 'main.js'), nodeApp)
    expect(JSON.parse(await run(process.execPath, ['main.js'], installed.app))).toEqual({
      found: ['a'],
      isVectorRun: true,
      closed: 'CLOSED',
      core: true,
      graph: { mode: 'hnsw', found: ['a'], degraded: [] },
    })
  })

  test('runs the engine in a worker thread', async () => {
    const app = nodeApp.replace('openRecall({', "openRecall({ runtime: 'worker',")
    expect(app).not.toBe(nodeApp)
    await writeFile(join(installed.app, 'thread.js'), app)
    expect(JSON.parse(await run(process.execPath, ['thread.js'], installed.app))).toMatchObject({
      found: ['a'],
      isVectorRun: true,
      closed: 'CLOSED',
    })
  })

  test('serves MCP with one command and without the SDK as a package: it is in the tarball', async () => {
    const names = await readdir(join(installed.app, 'node_modules'))
    expect(names).toContain('scrubjay')
    expect(names).not.toContain('@modelcontextprotocol')
    const bin = join(installed.app, 'node_modules/.bin/scrubjay')
    const server = execFile(bin, ['mcp', '--store', 'memory.sqlite', '--quiet'], { cwd: installed.app })
    const first = once(createInterface({ input: server.stdout! }), 'line')
    server.stdin!.write(`${JSON.stringify(hello)}\n`)
    expect(JSON.parse(String((await first)[0]))).toMatchObject({ id: 1, result: { serverInfo: { name: 'scrubjay' } } })
    const ended = once(server, 'exit')
    server.stdin!.end()
    expect(await ended).toEqual([0, null])
  })

  test('an empty folder answers a real MCP client after one installation; prints how long each step takes', async () => {
    const startedMs = performance.now()
    const client = new Client({ name: 'newcomer', version: '1' })
    const bin = join(installed.app, 'node_modules/scrubjay/dist/src/cli/main.js')
    const args = [bin, 'mcp', '--store', join(installed.app, 'newcomer.sqlite'), '--quiet']
    await client.connect(new StdioClientTransport({ command: process.execPath, args }))
    const connectedMs = performance.now() - startedMs
    const text = 'Mira moves the deploy to Friday'
    await client.callTool({ name: 'remember', arguments: { text } })
    const answer = await client.callTool({ name: 'recall', arguments: { query: 'when is the deploy?' } })
    expect(JSON.stringify(answer.content)).toContain(text)
    const ms = { install: installed.installMs, connected: connectedMs, answer: performance.now() - startedMs }
    process.stdout.write(
      `newcomer with MCP, ms: ${JSON.stringify(ms, (_, value) => (typeof value === 'number' ? Math.round(value) : value))}\n`,
    )
    await client.close()
  })

  test.each(['NodeNext', 'Bundler'])('passes TypeScript with %s resolution', async (moduleResolution) => {
    await writeFile(join(installed.app, 'types.ts'), typedApp)
    const module = moduleResolution === 'Bundler' ? 'ESNext' : 'NodeNext'
    const options = ['--noEmit', '--strict', '--target', 'ES2023', '--lib', 'ES2023,DOM', '--types', '']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const check = (file: string) =>
      run(
        process.execPath,
        [tsc, ...options, '--module', module, '--moduleResolution', moduleResolution, file],
        installed.app,
      )
    await check('types.ts')
    // Control: the types are really there.
    await writeFile(join(installed.app, 'wrong.ts'), `${typedApp}\nrecall.put(5)\n`)
    await expect(check('wrong.ts')).rejects.toThrow()
  })

  test('passes without the DOM types, declarations included, and `new Blob` accepts an export', async () => {
    const names = entries.filter((name) => !/ai-sdk|lang|react|vue|svelte|transformers-worker|testing/.test(name))
    const imports = names.map((name, i) => `import * as entry${i} from '${name}'`)
    const uses = names.map((_, i) => `void entry${i}`)
    await writeFile(join(installed.app, 'node.ts'), [...imports, ...uses].join('\n'))
    await writeFile(join(installed.app, 'blob.ts'), blobApp)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
    options.push('--target', 'ES2023', '--module', 'NodeNext')
    const check = (file: string, lib: string, types: string) =>
      run(process.execPath, [tsc, ...options, '--lib', lib, '--types', types, file], installed.app)
    await mkdir(join(installed.app, 'node_modules/@types'), { recursive: true })
    for (const name of ['@types/node', 'undici-types'])
      await cp(join(root, 'node_modules', name), join(installed.app, 'node_modules', name), { recursive: true })
    expect(await check('node.ts', 'ES2023', 'node')).toBe('')
    expect(await check('blob.ts', 'ES2023,DOM,DOM.AsyncIterable', '')).toBe('')
  })
})

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'app', version: '1' } },
}

const nodeApp = `
import { openRecall } from 'scrubjay'
import { exp, policies } from 'scrubjay/core'
import { staticEmbedder } from 'scrubjay/embedders'
const recall = await openRecall({ embedder: staticEmbedder() })
await recall.put([{ id: 'a', title: 'How to compile the program' }, { id: 'b', title: 'Apple pie' }])
const { hits, plan } = await recall.recall({ text: 'building an application', limit: 1 })
await recall.close()
const closed = await recall.count().catch((error) => error.code)
const large = await openRecall({ name: 'large', index: 'hnsw' })
await large.put([{ id: 'a', title: 'How to compile the program' }, { id: 'b', title: 'Apple pie' }])
while ((await large.status()).indexes.vector.state !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20))
const near = await large.recall({ text: 'building an application', limit: 1 })
const graph = {
  mode: near.plan.channels.vector.mode,
  found: near.hits.map(({ id }) => id),
  degraded: (await large.status()).degraded.filter((line) => line.includes('HNSW')),
}
await large.close()
console.log(JSON.stringify({
  found: hits.map(({ id }) => id),
  isVectorRun: plan.channels.vector.ran,
  closed,
  core: exp(0) === 1 && policies.balanced.name === 'balanced',
  graph,
}))
`

const blobApp = `import { openRecall } from 'scrubjay'
const recall = await openRecall()
const parts: BlobPart[] = []
for await (const bytes of recall.exportTo()) parts.push(bytes)
export const backup = new Blob(parts)
`

const typedApp = `
import { openRecall, RecallError, policies, type Hit, type OpenOptions, type RecallResult } from 'scrubjay'
import { contentHash, decide, type Facts } from 'scrubjay/core'
import { precomputed, staticEmbedder, type Embedder } from 'scrubjay/embedders'
import { createTelemetry, defineInspector, explain, withTelemetry } from 'scrubjay/devtools'
import { anthropicTools, openaiTools, runTool } from 'scrubjay/tools'
const embedder: Embedder = Math.random() > 2 ? precomputed(3, 'mine') : staticEmbedder()
const options: OpenOptions = { embedder, policy: policies.balanced, storage: 'memory' }
export const recall = await openRecall(options)
const result: RecallResult = await recall.recall('x', { signal: new AbortController().signal })
export const hit: Hit | undefined = result.hits[0]
export const many: readonly unknown[] = await recall.get(['a'])
export const title: string | null | undefined = (await recall.get('a'))?.title
export const stop: () => void = recall.subscribe((event) => { if (event.type === 'changed') event.ids.at(0) })
export const facts: Facts | undefined = undefined
export const functions = [contentHash, decide, RecallError, defineInspector, openaiTools, anthropicTools]
export const told: string = explain(result, { format: 'html' })
export const counted = withTelemetry(recall, createTelemetry())
export const called: Promise<object> = runTool(counted, 'recall', { query: 'x' }, { scope: { project: 'p' } })
`
