/** The page of locked.browser.test.ts: one store at a time, the bytes that the browser keeps for it, and changes of them. */
export const lockedPageScript = `
  import { salvage } from 'scrubjay/salvage'
  let current = ''
  window.codeOf = (error) => error.code ?? String(error)
  const lockOf = (lock) => (lock?.key ? { key: Uint8Array.from(lock.key) } : (lock ?? undefined))
  window.scrubjay = scrubjay
  window.ready = true
  window.open_ = async (name, storage, lock) => {
    try {
      const opened = await scrubjay.openRecall({ name, storage, embedder: null, lock: lockOf(lock) })
      window.store = opened
      current = name
      return (await store.status()).role
    } catch (error) {
      return codeOf(error)
    }
  }
  window.addLock = (lock) => store.keys.add(lockOf(lock))
  window.call = async (method, ...args) => (await store[method](...args)) ?? null
  window.convert = (method, name, lock) => scrubjay[method](name, { lock: lockOf(lock) }).then(({ changed }) => changed, codeOf)
  window.salvageCode = (name) => salvage({ name }).then(() => 'opened', codeOf)

  const request = (made) => new Promise((resolve, reject) => { made.onsuccess = () => resolve(made.result); made.onerror = () => reject(made.error) })
  const beginning = (name) => name.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase() + '.'
  const folderOf = async (name) => {
    try {
      const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('scrubjay')
      for await (const [entry, handle] of root.entries()) if (entry.startsWith(beginning(name))) return handle
    } catch {}
    return null
  }
  async function* filesIn(folder) {
    for await (const handle of folder.values()) {
      if (handle.kind === 'file') yield handle
      else yield* filesIn(handle)
    }
  }
  const databaseOf = async (name) => {
    const all = (await indexedDB.databases?.().catch(() => [])) ?? []
    return all.find((one) => one.name.startsWith('scrubjay/' + beginning(name)))?.name
  }
  const withValues = async (database, mode, work) => {
    const opened = await request(indexedDB.open(database))
    try {
      return await work(opened.transaction('bytes', mode).objectStore('bytes'))
    } finally {
      opened.close()
    }
  }
  /** Every file and value of a store, by name. A file that changes while it is read is read again. */
  const storedBytes = async (name) => {
    const found = new Map()
    const folder = await folderOf(name)
    if (folder !== null) {
      for await (const handle of filesIn(folder)) {
        for (let tries = 0; tries < 20; tries++) {
          try {
            found.set(handle.name, new Uint8Array(await (await handle.getFile()).arrayBuffer()))
            break
          } catch {
            await new Promise((resolve) => setTimeout(resolve, 20))
          }
        }
      }
    }
    const database = await databaseOf(name)
    if (database !== undefined) {
      await withValues(database, 'readonly', async (values) => {
        const keys = await request(values.getAllKeys())
        for (const key of keys) {
          const value = await request(values.get(key))
          found.set(key, value instanceof Uint8Array ? value : new TextEncoder().encode(String(value)))
        }
      })
    }
    return found
  }
  window.entriesOf = async (name) => [...(await storedBytes(name)).keys()].length
  /** Whether something stored holds 8 letters of a text, in any case, also as UTF-16. */
  window.isReadable = async () => {
    for (const [key, bytes] of await storedBytes(current)) {
      // Room without content.
      if (key.startsWith('reserve/') && bytes.every((byte) => byte === 0)) continue
      for (const text of [key, new TextDecoder('latin1').decode(bytes), new TextDecoder('utf-16le').decode(bytes)])
        if (/quetzal[a-z]/i.test(text)) return true
    }
    return false
  }

  const words = Array.from({ length: 60 }, (_, i) => 'quetzal' + String.fromCharCode(97 + (i % 26)) + 'bcdefghi'.slice(i % 5))
  const randomFrom = (seed) => (most) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed % most
  }
  /** Puts, replaces, forgets and compacts at random; whether something was ever readable. */
  window.live = async (seed, steps) => {
    const below = randomFrom(seed)
    const some = () => Array.from({ length: 6 }, () => words[below(60)]).join(' ')
    let isFound = false
    for (let step = 0; step < steps; step++) {
      const id = 'record-' + below(6)
      const kind = step === 0 ? 0 : below(9)
      if (kind < 5) await store.put({ id, title: some(), body: some().repeat(20), tags: [words[step]] })
      else if (kind < 6) await store.put(Array.from({ length: 40 }, (_, i) => ({ id: 'more-' + i, body: some() })))
      else if (kind < 7) await store.forget(id)
      else if (kind < 8) await store.compact()
      else await store.recall(some())
      isFound ||= await isReadable()
    }
    await store.close()
    return isFound || (await isReadable())
  }

  const filled = Array.from({ length: 150 }, (_, i) => ({ id: 'f' + i, body: ('Note ' + i + ': ' + words[i % 60] + ' ').repeat(90) }))
  const partsOf = async (from, options) => {
    const parts = []
    for await (const part of from.exportTo(options)) parts.push(part)
    return parts
  }
  /** What the export of the open store shows, and what it becomes in a store that is not locked. */
  window.moveByExport = async (lock, wrong) => {
    const parts = await partsOf(store)
    const plain = await new Blob(await partsOf(store, { encrypted: false })).text()
    const text = await new Blob(parts).text()
    const other = await scrubjay.openRecall({ name: 'moved by export', storage: 'memory', embedder: null })
    const into = (given) => other.importFrom(parts, { mode: 'merge', lock: lockOf(given) })
    const codes = [await into(undefined).catch(codeOf), await into(wrong).catch(codeOf)]
    const { inserted } = await into(lock)
    const isEqual = (await new Blob(await partsOf(other)).text()) === plain
    await other.destroy()
    return { readable: [text, plain].map((one) => one.includes('quetzal')), codes, inserted, isEqual }
  }
  window.fill = (count) => store.put(filled.slice(0, count))
  window.isFilled = async (count) => (await store.get(filled.slice(0, count).map(({ id }) => id))).every((record, i) => record?.body === filled[i].body)
  /** Resolves when some pages have the new key. */
  window.renewUntilProgress = () => new Promise((resolve) => {
    store.subscribe((event) => event.type === 'progress' && event.total > 64 && event.done < event.total && resolve(event.done))
    store.compact({ newKey: true }).then(() => resolve('complete'), resolve)
  })
  /** Changes a bit in a copy of the store, opens it and reads every record: how each ended. */
  window.changeBytes = async (storage, lock, trials) => {
    const name = 'changed ' + storage
    await open_(name, storage, lock)
    const bodies = new Map(Array.from({ length: 60 }, (_, i) => ['r' + i, ('Note ' + i + ': ' + words[i] + ' ').repeat(30)]))
    await store.put([...bodies].map(([id, body]) => ({ id, body })))
    await store.close()
    const sound = await storedBytes(name)
    const names = [...sound.keys()].filter((key) => key !== 'owner' && !key.startsWith('reserve/') && sound.get(key).length > 0)
    const below = randomFrom(43)
    const outcomes = []
    for (let trial = 0; trial < trials; trial++) {
      // Half of them in the pages of the largest file, or in the largest value.
      const largest = names.reduce((a, b) => (sound.get(a).length < sound.get(b).length ? b : a))
      const changed = trial % 2 === 0 ? largest : names[(trial >> 1) % names.length]
      const bytes = sound.get(changed).slice()
      const offset = trial % 2 === 0 ? 4096 + below(60_000) : below(bytes.length)
      bytes[offset] ^= 1 << below(8)
      await restore(name, new Map([...sound, [changed, bytes]]))
      outcomes.push(await readAll(name, storage, lock, bodies))
    }
    await restore(name, sound)
    outcomes.push(await readAll(name, storage, lock, bodies))
    return outcomes
  }
  const restore = async (name, all) => {
    const folder = await folderOf(name)
    if (folder !== null) {
      for await (const handle of filesIn(folder)) {
        const stream = await handle.createWritable()
        await stream.write(all.get(handle.name) ?? new Uint8Array(0))
        await stream.close()
      }
      return
    }
    await withValues(await databaseOf(name), 'readwrite', async (values) => {
      await request(values.clear())
      for (const [key, bytes] of all) await request(values.put(key === 'owner' ? new TextDecoder().decode(bytes) : bytes, key))
    })
  }
  const readAll = async (name, storage, lock, bodies) => {
    const role = await open_(name, storage, lock)
    if (role !== 'leader') return role
    try {
      const read = await store.get([...bodies.keys()])
      return read.every((record, i) => record?.body === [...bodies.values()][i]) ? 'same' : 'other records'
    } catch (error) {
      return codeOf(error)
    } finally {
      await store.close().catch(() => undefined)
    }
  }
`
