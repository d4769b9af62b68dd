/**
 * Manages process groups of browsers and drivers: each is the leader of its own group, is killed as a whole, and
 * cannot outlive this process. POSIX only.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { until } from './within.ts'

const ownedGroups = new Set<number>()
const ownedFolders = new Set<string>()
let isWatchingExit = false

/**
 * Makes sure that this folder is deleted when this process ends or is interrupted; returns a function that deletes it
 * now.
 */
export function ownFolder(folder: string): () => Promise<void> {
  ownedFolders.add(folder)
  watchExit()
  return async () => {
    // A dying browser may still write during the deletion.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    ownedFolders.delete(folder)
  }
}

/** Starts a program as the leader of a new process group that ends with this process at the latest. */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true })
  // A failed spawn reports itself by this event; callers see that the child never becomes ready.
  child.once('error', () => undefined)
  if (child.pid !== undefined) ownGroup(child.pid)
  return child
}

/** Makes sure that the group of this leader is killed when this process ends or is interrupted. */
export function ownGroup(leaderId: number): void {
  ownedGroups.add(leaderId)
  watchExit()
}

/** Asks a group to end (SIGTERM), waits two seconds, then kills the rest. */
export async function endGroup(leaderId: number): Promise<void> {
  signalGroup(leaderId, 'SIGTERM')
  await until(2_000, 'an orderly end', async () => (isGroupAlive(leaderId) ? null : true)).catch(() => undefined)
  await killGroup(leaderId)
}

/** SIGKILLs a whole group; resolves when none of it runs any more, rejects after five seconds. */
export async function killGroup(leaderId: number): Promise<void> {
  signalGroup(leaderId, 'SIGKILL')
  await until(5_000, `the end of process group ${leaderId}`, async () => (isGroupAlive(leaderId) ? null : true))
  ownedGroups.delete(leaderId)
}

function watchExit(): void {
  if (isWatchingExit) return
  isWatchingExit = true
  process.once('exit', endAll)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endAll()
      process.kill(process.pid, signal)
    })
  }
}

function endAll(): void {
  for (const id of ownedGroups) signalGroup(id, 'SIGKILL')
  // By another process: the signal that ends this one may leave no time.
  if (ownedFolders.size > 0)
    spawn('rm', ['-rf', ...ownedFolders], { detached: true, stdio: 'ignore' })
      .once('error', () => undefined)
      .unref()
}

function signalGroup(leaderId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leaderId, signal)
  } catch {
    // Already gone.
  }
}

function isGroupAlive(leaderId: number): boolean {
  try {
    process.kill(-leaderId, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  // A killed process whose parent never reaps it, as in a container without an init, still takes signals: check its
  // state.
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isRunningIn(leaderId, name))
}

function isRunningIn(leaderId: number, processId: string): boolean {
  try {
    const status = readFileSync(`/proc/${processId}/stat`, 'latin1')
    const [state, , group] = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return Number(group) === leaderId && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
