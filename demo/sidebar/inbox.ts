/**
 * What was asked to be remembered and is not yet in the store. It lies in the extension's own storage, one key each, so
 * it outlives the service worker, the panel and the browser; it goes only after the store has acknowledged it.
 */
import type { Wish } from './wish.ts'

export interface Waiting {
  readonly key: string
  readonly wish: Wish
}

export async function addToInbox(wish: Wish): Promise<void> {
  await chrome.storage.local.set({ [`${prefix}${crypto.randomUUID()}`]: wish })
}

export async function readInbox(): Promise<readonly Waiting[]> {
  const all = await chrome.storage.local.get(null)
  return Object.entries(all).flatMap(([key, value]) => (key.startsWith(prefix) ? [{ key, wish: value as Wish }] : []))
}

export function removeFromInbox(key: string): Promise<void> {
  return chrome.storage.local.remove(key)
}

export function onInboxChanged(listener: () => void): void {
  chrome.storage.local.onChanged.addListener(listener)
}

const prefix = 'inbox:'
