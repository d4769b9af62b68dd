/** Tests the configurations for coding agents in docs/mcp.md: each can be parsed, and starts a command that exists with options that it has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseArguments, storeOptions } from '../../../src/cli/common/arguments.ts'
import { commands } from '../../../src/cli/run-cli.ts'
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
