/** Asks the user for the right to read pages. The browser shows its own question; the user can take the right back there. */

const origins = ['http://*/*', 'https://*/*']
const askedKey = 'asked to read pages'

/** Must be called during the user's gesture. Resolves to whether the user allows it. */
export function askToRead(): Promise<boolean> {
  return chrome.permissions.request({ origins }).catch(() => false)
}

/** True once: the first press of “Remember” asks, and later ones do not ask again. */
export async function isFirstAsking(): Promise<boolean> {
  const { [askedKey]: asked } = await chrome.storage.local.get(askedKey)
  if (asked === true) return false
  await chrome.storage.local.set({ [askedKey]: true })
  return true
}
