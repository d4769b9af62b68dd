/** Reads the storage usage of the origin. Values that the platform does not report are null. */
import type { OpenStorage } from './port.ts'

/** `navigator.storage` is undefined in WebKitGTK and outside secure contexts. */
export const readUsage: OpenStorage['usage'] = async () => {
  const storage = (globalThis.navigator as WorkerNavigator | undefined)?.storage as Partial<StorageManager> | undefined
  const [persisted, estimate] = await Promise.all([
    storage?.persisted?.().catch(() => null) ?? null,
    storage?.estimate?.().catch(() => null) ?? null,
  ])
  return { persisted, quotaBytes: estimate?.quota ?? null, usageBytes: estimate?.usage ?? null }
}
