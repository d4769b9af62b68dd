/** Tests the configurations for coding agents in docs/mcp.md: each can be parsed, and starts a command that exists; and what the hook stores. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { parseArguments, storeOptions } from '../../../src/cli/common/arguments.ts'
import { commands, runCli } from '../../../src/cli/run-cli.ts'
import { root } from '../../support/install-package.ts'

const page = readFileSync(join(root, 'docs', 'mcp.md'), 'utf8')
const argsText = /`ARGS` is `([^`]+)`/.exec(page)![1]!
const serverText = /`SERVER` is `([^`]+)`/.exec(page)![1]!
const rows = page
  .slice(page.indexOf('| client '))
  .split('\n\n')[0]!
  .split('\n')
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))

interface Server {
  readonly command: string
  readonly args: readonly string[]
}

/** The server that a configuration names. An inline table of TOML is JSON but for its keys. */
function serverOf(file: string, text: string): Server {
  const full = text.replace('SERVER', serverText).replace('ARGS', argsText)
  if (!file.endsWith('.toml')) {
    const [servers] = Object.values(JSON.parse(full) as Record<string, Record<string, Server>>)
    return servers!['memory']!
  }
  const [, table] = /^mcp_servers\.memory = (\{.*\})$/.exec(full)!
  return JSON.parse(table!.replaceAll(/(\w+) = /g, '"$1": ')) as Server
}

/** Throws if the command line does not exist. */
function check([first, name, command, ...rest]: readonly string[]) {
  expect([first, name]).toEqual([
    '-y',
    Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin)[0],
  ])
  const { options } = commands[command!]!
  return parseArguments(rest, [...storeOptions, ...options], 'help')
}

describe('configurations of coding agents', () => {
  test.each(rows.map(([, client, file, text]) => ({ client, file: file!, text: text! })))(
    '$client starts a server that exists',
    ({ file, text }) => {
      const { command, args } = serverOf(file, text)
      expect(command).toBe('npx')
      expect(check(args).options).toEqual({ store: '.memory.sqlite', watch: '.' })
    },
  )

  test('there are six, and control: an option that mcp lacks is found', () => {
    expect(rows).toHaveLength(6)
    expect(() => check(['-y', 'scrubjay', 'mcp', '--folder', '.'])).toThrow(/Unknown option/)
  })
})

describe('the hook of Claude Code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-hook-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const transcript = join(folder, 's1.jsonl')
  const [, settings] = /In `\.claude\/settings\.json`:\s+```json\n(.*?)```/s.exec(page)!
  const [hook] = JSON.parse(settings!).hooks.Stop[0].hooks
  // As a shell splits it.
  const args = hook.command
    .replace('$CLAUDE_PROJECT_DIR', folder)
    .match(/"[^"]*"|\S+/g)
    .map((word: string) => word.replaceAll('"', ''))
    .slice(3)

  async function run(input: string) {
    const [output, errors] = [new PassThrough(), new PassThrough()]
    const code = await runCli([...args, '--embedder', 'none', '--quiet', '--json'], {
      input: Readable.from([Buffer.from(input)]),
      output,
      errors,
      environment: {},
      signal: new AbortController().signal,
    })
    output.end()
    errors.end()
    return { code, output: await text(output), errors: await text(errors) }
  }
  const turn = (uuid: string, content: string) =>
    `${JSON.stringify({ parentUuid: null, sessionId: 's1', type: 'user', uuid, timestamp: '2026-11-18T09:00:00Z', message: { role: 'user', content } })}\n`
  const given = JSON.stringify({ session_id: 's1', transcript_path: transcript, hook_event_name: 'Stop' })

  test('it runs in the background, and a second run adds only the new turns', async () => {
    expect(hook).toMatchObject({ type: 'command', async: true })
    writeFileSync(transcript, turn('u1', 'The deploy moves to Friday.'))
    expect(JSON.parse((await run(given)).output)).toMatchObject({
      inserted: 1,
      report: { kinds: { 'claude-code': 1 } },
    })
    appendFileSync(transcript, turn('u2', 'Mira has the key.'))
    const { code, output } = await run(given)
    expect(JSON.parse(output)).toMatchObject({ inserted: 1, updated: 0, unchanged: 1, removed: 0 })
    expect(code).toBe(0)
  })

  test.each([
    '',
    'text',
    'null',
    '{}',
    '{"transcript_path":7}',
    '{"transcript_path":"/missing/a.jsonl"}',
    '{"transcript_path":"/"}',
  ])('the input %j is refused with 1, because 2 would keep the agent from ending its turn', async (input) => {
    const { code, errors } = await run(input)
    expect(code).toBe(1)
    expect(JSON.parse(errors).error).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'transcript_path' })
  })
})
