/** Finds the locks and channels of this thread; null outside secure pages and in Node. */
import type { TabsPlatform } from './port.ts'

export function findTabsPlatform(): TabsPlatform | null {
  const { navigator, BroadcastChannel: Channel } = globalThis as Partial<typeof globalThis>
  const locks = (navigator as Partial<WorkerNavigator> | undefined)?.locks
  if (!locks || !Channel) return null
  return { locks, openChannel: (name) => new Channel(name) }
}
