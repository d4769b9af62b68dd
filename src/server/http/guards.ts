/** Guards the raw events of Node: whatever a peer sends, no callback of an event throws, and no promise of one is left without a handler. */
import type { IncomingMessage } from 'node:http'

/** Runs `work` in an event. What it throws, now or later, goes to `fail`, which must not throw. */
export function guarded<Given extends readonly unknown[]>(
  work: (...given: Given) => unknown,
  fail: (error: unknown, ...given: Given) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      const outcome = work(...given)
      if (outcome instanceof Promise) outcome.catch((error: unknown) => fail(error, ...given))
    } catch (error) {
      fail(error, ...given)
    }
  }
}

/** The path of a request; null if its target cannot be read as a URL. */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string | null {
  return URL.canParse(url, base) ? new URL(url, base).pathname : null
}

/** The host that an `Origin` names; null for one that names none, such as `null` of a sandboxed frame. */
export function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}

const base = 'http://host'
