/**
 * Keeps captures that are not yet in the store. They are in the extension's storage, one key each, so they survive the
 * service worker, the panel and the browser. A capture is removed only after the store has acknowledged it.
 */
import type { Capture } from './capture.ts'

export interface InboxEntry {
  readonly key: string
  readonly capture: Capture
}

export async function addToInbox(capture: Capture): Promise<void> {
  await chrome.storage.local.set({ [`${prefix}${crypto.randomUUID()}`]: capture })
}

export async function readInbox(): Promise<readonly InboxEntry[]> {
  const all = await chrome.storage.local.get(null)
  return Object.entries(all).flatMap(([key, value]) =>
    key.startsWith(prefix) ? [{ key, capture: value as Capture }] : [],
  )
}

export function removeFromInbox(key: string): Promise<void> {
  return chrome.storage.local.remove(key)
}

export function onInboxChanged(listener: () => void): void {
  chrome.storage.local.onChanged.addListener(listener)
}

const prefix = 'inbox:'
