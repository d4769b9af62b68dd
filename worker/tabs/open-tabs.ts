/** Opens a store that other tabs may have open. */
import { noLocks, ownStore, withNotes } from './notes.ts'
import type { Leading, ServedEngine, TabOptions, TabsPlatform } from './port.ts'
import { createTab } from './route.ts'

/**
 * Resolves when this tab leads or follows. Rejects as `leading.open` does; with STORE_BUSY if another tab has the store and does not
 * answer; with VERSION_SKEW if that tab runs a newer release; with SPACE_MISMATCH or INVALID_CONFIG if the store is open with another
 * embedding space or other options.
 */
export async function openTabs(
  options: TabOptions,
  leading: Leading,
  platform: TabsPlatform | null,
): Promise<ServedEngine> {
  if (options.storage === 'memory') return withNotes(await leading.open(), [ownStore])
  if (platform === null) return withNotes(await leading.open(), [noLocks('this browser has none')])
  const tab = createTab(options, leading, platform)
  await tab.opened
  return tab
}
