/** Keeps where the notes are synced to, in local storage; reads and writes keys as text. */

export interface SyncSettings {
  /** Address of a WebDAV folder. */
  readonly url: string
  readonly user: string
  readonly password: string
  /** 32 bytes as base64url without padding. */
  readonly key: string
}

const place = 'scrubjay-notes-sync'

/** Null if the notes are not synced. */
export function readSettings(): SyncSettings | null {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Partial<SyncSettings> | null
    if (kept === null || typeof kept.url !== 'string' || typeof kept.key !== 'string') return null
    return { url: kept.url, user: kept.user ?? '', password: kept.password ?? '', key: kept.key }
  } catch {
    return null
  }
}

/** Calls `changed` when another tab has started or stopped syncing. */
export function onSettingsChanged(changed: () => void): void {
  addEventListener('storage', (event) => {
    if ((event as StorageEvent).key === place) changed()
  })
}

/** Null: the notes are no longer synced. */
export function keepSettings(settings: SyncSettings | null): void {
  if (settings === null) localStorage.removeItem(place)
  else localStorage.setItem(place, JSON.stringify(settings))
}

export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Null if the text is not a key. */
export function readKey(text: string): Uint8Array | null {
  if (!/^[\w-]{43}$/.test(text.trim())) return null
  const bytes = atob(text.trim().replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))
}

/** A sentence about what is wrong; null if the settings can be used. */
export function problemOf({ url, user, key }: SyncSettings): string | null {
  const isAddress = URL.canParse(url) && /^https:|^http:\/\/(?:localhost|127\.0\.0\.1)[:/]/.test(url)
  if (!isAddress) return 'The address must begin with https://, or be on this computer.'
  if (user.includes(':')) return 'A user name can’t have a colon.'
  if (readKey(key) === null)
    return 'The key must have 43 characters. Make a new one, or paste the one of your other device.'
  return null
}

/** Of HTTP Basic, in UTF-8; none without a user name. */
export function headersOf({ user, password }: SyncSettings): Readonly<Record<string, string>> {
  if (user === '') return {}
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}
