/**
 * Sends messages between tabs: over one channel that all tabs of a store share, for short messages, and one channel per tab,
 * for calls and answers, so that no other tab has to copy them. Ignores messages that `messages.ts` refuses.
 */
import { parseReceived, type Received, wrapMessage, type TabMessage } from './messages.ts'
import type { TabChannel, TabsPlatform } from './port.ts'

export interface Broadcast {
  /** Random id of this tab; new for each worker. */
  readonly id: string
  tellAll(message: TabMessage): void
  /** Resolves when the message has arrived at another end of the channel in this tab: then it is on its way to all tabs. */
  tellAllSurely(message: TabMessage): Promise<void>
  /** Resolves when every message posted to all tabs before now has arrived here. Needed because locks and channels have no common order. */
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
  /** Runs `work` with a second end of the shared channel, until it resolves or times out. */
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
      if (isOpen) all.postMessage(wrapMessage(id, message))
    },
    async tellAllSurely(message) {
      if (!isOpen) return
      await withEcho((echo, resolve) => {
        echo.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          const received = parseReceived(data)
          if (received?.from === id && received.message?.type === message.type) resolve()
        })
        all.postMessage(wrapMessage(id, message))
      })
    },
    async catchUp() {
      if (!isOpen) return
      // A channel keeps the order of its messages: when the echo arrives, all earlier messages have arrived.
      await withEcho((echo, resolve) => {
        heardSelf = resolve
        echo.postMessage(wrapMessage(id, { type: 'echo' }))
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
      channel.postMessage(wrapMessage(id, message))
    },
    close() {
      isOpen = false
      // No message arrives any more: a waiting catchUp must not wait for its timeout.
      heardSelf()
      for (const channel of [all, own, ...others.values()]) channel.close()
      others.clear()
    },
  }
}

/** The name of a store's lock and of its shared channel; with `tab`, of that tab's own channel. */
export function channelName(store: string, tab?: string): string {
  // JSON, so that the name of a store can never equal that of another store's tab.
  return `scrubjay ${JSON.stringify(tab === undefined ? [store] : [store, tab])}`
}

/** ms. An echo takes about 1 ms. If it does not arrive, the message is treated as sent. */
const longestEchoMs = 1_000

/** Channels to other tabs that stay open. The limit is needed because tabs that crash do not say `bye`. */
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
