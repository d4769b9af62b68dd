/**
 * Starts a PostgreSQL server of Debian's package in a temporary folder, reachable over a socket in that folder alone. As root it runs
 * as an ordinary user. `fsync` is off: the tests kill nodes and connections, never the machine.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { missing } from './stand-ins/missing.ts'

export interface Postgres {
  /** The URL of a role that row-level security binds. */
  readonly url: string
  pool(): pg.Pool
  /** Runs a statement as the superuser, whom row-level security does not bind. */
  administer(sql: string, values?: readonly unknown[]): Promise<void>
  stop(): Promise<void>
}

/** The reason why PostgreSQL cannot start; null: it can. Under CI a missing server is an error: its tests would be left out silently. */
export const noPostgres: string | null = missing(
  programs() === null,
  'PostgreSQL is not installed: apt-get install postgresql',
)

/** `fsync`: default off. */
export async function startPostgres({ fsync = false } = {}): Promise<Postgres> {
  const bin = programs()
  if (bin === null) throw new Error(noPostgres!)
  const folder = mkdtempSync(join(tmpdir(), 'scrubjay-pg-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) for (const path of [folder, data]) chownSync(path, user.uid, user.gid!)
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: 'pipe',
  })
  const settings = { listen_addresses: '', unix_socket_directories: folder, max_connections: '100' }
  const flags = Object.entries({ ...settings, fsync: fsync ? 'on' : 'off' }).flatMap(([k, v]) => ['-c', `${k}=${v}`])
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const urlOf = (role: string) => `postgresql://${role}@/postgres?host=${encodeURIComponent(folder)}`
  const stop = async () => {
    // Fast shutdown: it ends the connections.
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilStarted(() =>
      connectTo(urlOf('owner'), `CREATE ROLE app LOGIN; GRANT CREATE ON DATABASE postgres TO app`),
    )
  } catch (error) {
    await stop()
    throw error
  }
  const url = urlOf('app')
  const administer = (sql: string, values: readonly unknown[] = []) => connectTo(urlOf('owner'), sql, values)
  return {
    url,
    stop,
    administer,
    pool: () => new pg.Pool({ connectionString: url, max: 8 }).on('error', () => undefined),
  }
}

function programs(): string | null {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).filter((name) => Number(name) >= 15)
    const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
    return newest === undefined ? null : join(root, newest, 'bin')
  } catch {
    return null
  }
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}

async function connectTo(url: string, sql: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    // Without values, several statements may be in one text.
    await client.query(sql, values.length === 0 ? undefined : [...values])
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function untilStarted(work: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
