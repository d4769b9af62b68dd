/**
 * Decides which process owns a file. Each contender listens on a socket in a folder next to the file, then looks for the sockets of others.
 * It owns the file only if no other process listens. A socket ends with its process, so a lock never outlives its owner; a file that is
 * left over refuses connections, and its name is never used again, so that it can be removed.
 */
import { setMaxListeners } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { recallError } from '../../src/core/model/errors.ts'
import { explainFailure } from '../storage/file/file.ts'
import { type Connection, connectionOver } from './connection.ts'
import { nodeDisk } from './node-disk.ts'
import { openSocketFolder, type SocketFolder } from './socket-folder.ts'

/** This process owns the file until it calls `release`. */
export interface Owned {
  readonly kind: 'owned'
  /** Sets the one listener for the connections of processes that follow; it also gets those that came before. */
  accept(listener: (follower: Connection) => void): void
  /** Tells contenders which file is open. A contender whose path names another file does not follow. */
  opened(file: string | null): void
  release(): Promise<void>
}

/** Another process owns the file until `owner` is closed. */
export interface Followed {
  readonly kind: 'followed'
  readonly owner: Connection
  readonly pid: number
}

/** The state that a listening process sends, at first and after each change. */
interface Standing {
  readonly wire: number
  readonly pid: number
  readonly isOwner: boolean
  /** The file that the owner has open (`Disk.findAt`); null before it is open. */
  readonly file: string | null
}

/** The format of the messages in `connection.ts`, `file-lock.ts` and `process-platform.ts`. */
const wire = 1

/**
 * Resolves when this process owns the file or another one does. `met` is called with the id of a process that may own it. Rejects with the
 * signal's reason, with STORAGE_UNAVAILABLE if there can be no sockets here, with QUOTA_EXCEEDED on a disk without space for a folder, or
 * with VERSION_SKEW.
 */
export async function contend(
  path: string,
  signal: AbortSignal,
  met: (pid: number) => void = () => undefined,
  openFolder: (path: string) => SocketFolder = openSocketFolder,
): Promise<Owned | Followed> {
  for (;;) {
    signal.throwIfAborted()
    const contender = await enter(openFolder(path))
    let verdict: Verdict
    try {
      verdict = await judge(contender, signal, met)
    } catch (error) {
      await contender.withdraw()
      throw error
    }
    if (verdict.kind === 'owner') return contender.own()
    await contender.withdraw()
    const { other } = verdict
    if (!(await owns(other, signal))) continue
    const file = other.file()
    if (file === null || file === nodeDisk.findAt(path)?.identity)
      return { kind: 'followed', owner: other.connection, pid: other.pid }
    void other.connection.end()
    throw otherFile(path, other.pid)
  }
}

type Verdict = { readonly kind: 'owner' } | { readonly kind: 'other'; readonly other: Other }

/**
 * Each contender listens before it looks, so of two contenders at least one sees the other. If both see each other, the one whose name comes later withdraws,
 * and the other one waits for that.
 */
async function judge({ name, folder }: Contender, signal: AbortSignal, met: (pid: number) => void): Promise<Verdict> {
  for (const other of folder.names()) {
    if (other === name) continue
    const found = await reach(folder, other, signal)
    if (found === null) continue
    met(found.pid)
    if (other < name || (await owns(found, signal))) return { kind: 'other', other: found }
  }
  return { kind: 'owner' }
}

interface Other {
  readonly connection: Connection
  readonly pid: number
  /** Resolves to true when it owns the file, to false when it ended or withdrew. */
  readonly owns: Promise<boolean>
  /** The file that it has open, as far as it said; null before. */
  file(): string | null
}

/** Connects to another contender; null if it ended. */
async function reach(folder: SocketFolder, name: string, signal: AbortSignal): Promise<Other | null> {
  for (;;) {
    signal.throwIfAborted()
    const connection = await dial(folder.addressOf(name))
    if (connection === 'ended') {
      folder.remove(name)
      return null
    }
    if (connection !== 'busy') return otherOver(connection, Number.parseInt(name, 10), signal)
    await new Promise((resolve) => setTimeout(resolve, redialMs))
  }
}

async function otherOver(connection: Connection, pid: number, signal: AbortSignal): Promise<Other> {
  let decide: (isOwner: boolean) => void = () => undefined
  let refuse: (error: unknown) => void = () => undefined
  const owns = new Promise<boolean>((resolve, reject) => {
    decide = resolve
    refuse = reject
  })
  owns.catch(() => undefined)
  let file: string | null = null
  connection.listen((message) => {
    const { wire: theirs, isOwner, file: open = null } = message as Partial<Standing>
    file = open
    if (theirs !== wire) refuse(otherRelease(pid))
    else if (isOwner === true) decide(true)
  })
  void connection.closed.then(() => decide(false))
  const onAbort = () => void connection.end()
  // One signal may wait for many processes. Node warns of a leak at more than ten listeners.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', onAbort, { once: true })
  void connection.closed.then(() => signal.removeEventListener('abort', onAbort))
  return { connection, pid, owns, file: () => file }
}

async function owns({ owns: decided }: Other, signal: AbortSignal): Promise<boolean> {
  const isOwner = await decided
  signal.throwIfAborted()
  return isOwner
}

/** ms after which a busy socket is tried again. */
const redialMs = 20

/** `busy`: its queue of connections is full, or it broke the connection. Then it may have ended, which the next attempt shows. */
function dial(address: string): Promise<Connection | 'ended' | 'busy'> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    socket.once('connect', () => resolve(connectionOver(socket)))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve('ended')
      else if (busyCodes.has(error.code ?? '')) resolve('busy')
      else reject(noSockets(error))
    })
  })
}

const busyCodes: ReadonlySet<string> = new Set(['EAGAIN', 'EBUSY', 'ECONNRESET', 'EPIPE'])

interface Contender {
  readonly name: string
  readonly folder: SocketFolder
  own(): Owned
  withdraw(): Promise<void>
}

/** Listens, then publishes the socket under a name that is never used again. */
async function enter(folder: SocketFolder): Promise<Contender> {
  const followers = new Set<Connection>()
  let isOwner = false
  let file: string | null = null
  let accept: ((follower: Connection) => void) | undefined
  const standing = (): Standing => ({ wire, pid: process.pid, isOwner, file })
  const { server, name } = await publish(folder, (socket) => {
    const follower = connectionOver(socket)
    followers.add(follower)
    void follower.closed.then(() => followers.delete(follower))
    follower.send(standing())
    accept?.(follower)
  })
  const end = async () => {
    folder.remove(name)
    const closed = new Promise((resolve) => server.close(resolve))
    await Promise.all([...Array.from(followers, (follower) => follower.end()), closed])
    folder.close()
  }
  return {
    name,
    folder,
    withdraw: end,
    own() {
      isOwner = true
      for (const follower of followers) follower.send(standing())
      return {
        kind: 'owned',
        accept(listener) {
          accept = listener
          for (const follower of followers) listener(follower)
        },
        opened(open) {
          file = open
        },
        release: end,
      }
    },
  }
}

async function publish(
  folder: SocketFolder,
  onConnection: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly name: string }> {
  for (let attempts = 1; ; attempts++) {
    const name = folder.newName()
    const server = createServer(onConnection).unref()
    try {
      await listen(server, folder.draftAddressOf(name))
      folder.publish(name)
      server.on('error', () => undefined)
      return { server, name }
    } catch (error) {
      server.close()
      if (!goneCodes.has((error as NodeJS.ErrnoException).code ?? '') || attempts === mostAttempts) {
        folder.close()
        throw noSockets(error)
      }
      folder.renew()
    }
  }
}

/** The last owner removed the empty folder between two calls. For listening, libuv says EACCES then. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'EACCES'])

const mostAttempts = 20

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onListening = () => {
      server.off('error', onError)
      resolve()
    }
    const onError = (error: Error) => {
      server.off('listening', onListening)
      reject(error)
    }
    server.once('error', onError).once('listening', onListening).listen(address)
  })
}

function noSockets(error: unknown) {
  const explained = explainFailure(error)
  if (explained.code === 'QUOTA_EXCEEDED') return explained
  return recallError(
    'STORAGE_UNAVAILABLE',
    `must be in a folder in which this process can make local sockets, which keep other processes out (${String(error)})`,
    { field: 'path', hint: 'Keep the store on a local disk, in a folder of this user.' },
  )
}

function otherFile(path: string, pid: number) {
  return recallError('STORAGE_UNAVAILABLE', `The process ${pid} has another file open that had this path before`, {
    value: path,
    hint: 'Close the store there, then open it again. That process stores nothing more.',
  })
}

function otherRelease(pid: number) {
  return recallError('VERSION_SKEW', `The process ${pid} has the file open with another release of Scrubjay`, {
    hint: 'End that process, or use the same release in both.',
  })
}
