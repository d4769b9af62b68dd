/**
 * How tabs reach each other: one channel that all of a store hear, for what is short, and one per tab, for calls and
 * answers, so that no other tab has to copy them. Refuses what `messages.ts` does not know.
 */
import { parseReceived, type Received, sealMessage, type TabMessage } from './messages.ts'
import type { TabChannel, TabsPlatform } from './port.ts'

export interface Broadcast {
  /** This tab's name among the others: random, new with each worker. */
  readonly id: string
  tellAll(message: TabMessage): void
  /** Resolves when the message has come back to another end of the same channel: then it is on its way to all of them. */
  tellAllSurely(message: TabMessage): Promise<void>
  /** Resolves when all that was told to all tabs before now has been heard here: locks and channels keep no common order. */
  catchUp(): Promise<void>
  tell(tab: string, message: TabMessage): void
  close(): void
}

export function openBroadcast(
  store: string,
  { openChannel }: TabsPlatform,
  listener: (received: Received) => void,
): Broadcast {
  const id = newTabId()
  const hear = (channel: TabChannel) =>
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const received = isOpen ? parseReceived(data) : null
      if (received && received.from !== id) listener(received)
      else if (received) heardSelf()
    })
  let isOpen = true
  let heardSelf = () => {}
  const all = openChannel(channelName(store))
  const own = openChannel(channelName(store, id))
  const others = new Map<string, TabChannel>()
  /** With a second end of the channel that all hear, until its work resolves. */
  const withEcho = async (work: (echo: TabChannel, resolve: () => void) => void) => {
    const echo = openChannel(channelName(store))
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestEchoMs)
      work(echo, resolve)
    })
    clearTimeout(timer)
    echo.close()
  }
  hear(all)
  hear(own)
  return {
    id,
    tellAll(message) {
      if (isOpen) all.postMessage(sealMessage(id, message))
    },
    async tellAllSurely(message) {
      if (!isOpen) return
      await withEcho((echo, resolve) => {
        echo.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          const received = parseReceived(data)
          if (received?.from === id && received.message?.type === message.type) resolve()
        })
        all.postMessage(sealMessage(id, message))
      })
    },
    async catchUp() {
      if (!isOpen) return
      // One channel keeps its order: what comes after its own word has heard what was said before.
      await withEcho((echo, resolve) => {
        heardSelf = resolve
        echo.postMessage(sealMessage(id, { type: 'echo' }))
      })
    },
    tell(tab, message) {
      if (!isOpen) return
      let channel = others.get(tab)
      if (channel === undefined) {
        dropOldest(others)
        channel = openChannel(channelName(store, tab))
        others.set(tab, channel)
      }
      channel.postMessage(sealMessage(id, message))
    },
    close() {
      isOpen = false
      // Nothing is heard any more: who waits for that must not wait for the echo's time.
      heardSelf()
      for (const channel of [all, own, ...others.values()]) channel.close()
      others.clear()
    },
  }
}

/** The name of a store's lock, and of the channel all its tabs hear; with a tab, of that tab's own channel. */
export function channelName(store: string, tab?: string): string {
  // Spelled as JSON: no name of a store can look like that of another one's tab.
  return `scrubjay ${JSON.stringify(tab === undefined ? [store] : [store, tab])}`
}

/** An echo takes a millisecond; where it does not come, the message is as good as it was. */
const longestEchoMs = 1_000

/** Channels to other tabs that are kept open. Tabs that crash do not say goodbye. */
const maxOthers = 64

function dropOldest(others: Map<string, TabChannel>): void {
  if (others.size < maxOthers) return
  const [oldest] = others
  if (oldest === undefined) return
  others.delete(oldest[0])
  oldest[1].close()
}

function newTabId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-')
}
