/**
 * Stands in for Electron, with one page. Main process, preload script and page run in one Node process; every value that would cross a process
 * or the context bridge is cloned, and messages arrive later, in order. The app's data is in the working directory.
 */
const { EventEmitter } = require('node:events')

const handlers = new Map()
const ipcMain = Object.assign(new EventEmitter(), { handle: (channel, handler) => handlers.set(channel, handler) })
const page = Object.assign(new EventEmitter(), {
  /** Number of messages to the page. */
  sent: 0,
  send(channel, ...args) {
    page.sent += 1
    deliver(ipcRenderer, channel, {}, args)
  },
})
const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (channel, ...args) => deliver(ipcMain, channel, { sender: page }, args),
  invoke: (channel, ...args) => {
    const sent = structuredClone(args)
    return new Promise((done, fail) => {
      setImmediate(async () => {
        try {
          done(structuredClone(await handlers.get(channel)({ sender: page }, ...sent)))
        } catch (error) {
          // As Electron does: only the message arrives.
          fail(new Error(`Error invoking remote method '${channel}': ${error}`))
        }
      })
    })
  },
})

/** Throws if the arguments cannot be cloned. */
function deliver(target, channel, event, args) {
  const sent = structuredClone(args)
  setImmediate(() => target.emit(channel, event, ...sent))
}

/** Clones data, and wraps functions so that their arguments and results are cloned. */
function bridged(value) {
  if (typeof value === 'function') return (...args) => bridged(value(...args.map(bridged)))
  if (value instanceof Promise) return value.then(bridged)
  return structuredClone(value)
}

let showLoaded
exports.loaded = new Promise((done) => (showLoaded = done))
exports.page = page
exports.ipcMain = ipcMain
exports.ipcRenderer = ipcRenderer
exports.app = { whenReady: async () => undefined, getPath: () => process.cwd() }
exports.dialog = {
  showErrorBox(title, content) {
    throw new Error(`${title} ${content}`)
  },
}
exports.contextBridge = {
  exposeInMainWorld(name, api) {
    const entries = Object.entries(api).map(([key, value]) => [key, bridged(value)])
    globalThis.window = { [name]: Object.fromEntries(entries) }
  },
}
exports.BrowserWindow = class {
  constructor({ webPreferences }) {
    this.preload = webPreferences.preload
  }

  async loadFile() {
    require(this.preload)
    showLoaded()
  }
}
