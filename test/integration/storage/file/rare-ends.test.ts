/** Ends of a store in a file that are rare: a disk that fails at close, a deletion that is cut short, a process of another release, and one that never answers. */
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createEngineOver } from '../../../../worker/engine/engine.ts'
import { connectionOver } from '../../../../worker/node/connection.ts'
import { contend } from '../../../../worker/node/file-lock.ts'
import { openSocketFolder } from '../../../../worker/node/socket-folder.ts'
import { initSqlite } from '../../../../worker/sqlite/init-sqlite.ts'
import { openFile, removeStore } from '../../../../worker/storage/file/file.ts'
import type { Disk } from '../../../../worker/storage/file/disk.ts'
import { engineOptions } from '../../../support/stores/engine-options.ts'
import { createLimitedDisk } from '../../../support/stores/limited-disk.ts'
import { folder, path } from './folder.ts'

const name = '/memory.sqlite'
const context = { now: 0 }
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function openOn(disk: Disk) {
  return createEngineOver(await openFile(await initSqlite(), disk, name), engineOptions, null)
}

/** A disk on which writes to the database fail while `fails` is set. */
function failingDisk() {
  const disk = createLimitedDisk()
  const state = { fails: false }
  const open: Disk['open'] = (opened, create) => {
    const file = disk.open(opened, create)
    if (opened !== name) return file
    return {
      ...file,
      write(source, offset) {
        if (state.fails) throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' })
        file.write(source, offset)
      },
    }
  }
  return { disk: { ...disk, open }, names: disk.names, state }
}

test('[R10] a journal that could not be emptied when the store closed stays, with all that was acknowledged', async () => {
  const { disk, names, state } = failingDisk()
  const engine = await openOn(disk)
  await engine.call('put', { batch: [{ id: 'a', body: 'the first' }] }, context)
  state.fails = true
  await engine.call('close', {}, context).catch(() => undefined)
  expect(names()).toContain(`${name}-wal`)
  state.fails = false
  const again = await openOn(disk)
  expect(await again.call('count', { scope: {} }, context)).toBe(1)
  await again.call('close', {}, context)
  expect(names(), 'control: an emptied one goes').toEqual([name])
})

test('[R11] a deletion that is cut short leaves no journal and no revision without their database', async () => {
  for (let steps = 0; steps <= 5; steps++) {
    const disk = createLimitedDisk()
    const engine = await openOn(disk)
    await engine.call('put', { batch: [{ id: 'a', body: 'the first' }] }, context)
    let removed = 0
    const remove = (at: string) => {
      if (removed++ === steps) throw new Error('killed')
      disk.remove(at)
    }
    try {
      removeStore({ ...disk, remove }, name)
    } catch (error) {
      expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    }
    const left = disk.names()
    expect(left.includes(name) || left.length === 0, left.join()).toBe(true)
    if (steps === 0) expect(left, 'control: all are there before').toContain(`${name}-wal`)
    if (steps === 5) expect(left).toEqual([])
  }
})

/** A process with another format of messages, or with the same one, which owns the file. */
async function ownerOf(wire: number): Promise<void> {
  const sockets = openSocketFolder(path)
  const server = createServer((socket) =>
    connectionOver(socket).send({ wire, pid: process.pid, isOwner: true, file: null }),
  )
  servers.push(server)
  const own = sockets.newName()
  await new Promise<void>((resolve) => server.listen(sockets.draftAddressOf(own), resolve))
  sockets.publish(own)
}

test('[P1] an owner of another release is VERSION_SKEW, with the way out', async () => {
  await ownerOf(2)
  await expect(contend(path, AbortSignal.timeout(5_000))).rejects.toMatchObject({
    code: 'VERSION_SKEW',
    message: expect.stringContaining(String(process.pid)),
    hint: expect.stringContaining('End that process'),
  })
})

test('[P1] control: an owner of this release is followed', async () => {
  await ownerOf(1)
  const found = await contend(path, AbortSignal.timeout(5_000))
  expect(found.kind).toBe('followed')
  if (found.kind === 'followed') await found.owner.end()
})

test('[P1] a connection ends although the other process is stopped and never closes it', async () => {
  const address = join(folder, 'socket')
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => undefined))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(address, resolve))
  const socket = connect(address)
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  const connection = connectionOver(socket)
  const patience = new Promise((resolve) => setTimeout(resolve, 8_000, 'waits'))
  expect(await Promise.race([connection.end().then(() => 'ended'), patience])).toBe('ended')
})
