/**
 * Listens to the abort of a signal. All listeners of one signal share one listener of its own: Node warns of a leak when a signal has more
 * than ten, and an app may give one signal to many calls.
 */
interface Shared {
  readonly listeners: Set<() => void>
  tell(): void
}

const sharedBySignal = new WeakMap<AbortSignal, Shared>()

/** Each call needs a function of its own. Returns a function that removes it. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const { listeners, tell } = sharedBySignal.get(signal) ?? share(signal)
  listeners.add(listener)
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return
    sharedBySignal.delete(signal)
    signal.removeEventListener('abort', tell)
  }
}

function share(signal: AbortSignal): Shared {
  const listeners = new Set<() => void>()
  const shared: Shared = {
    listeners,
    tell() {
      for (const listener of listeners) listener()
    },
  }
  sharedBySignal.set(signal, shared)
  signal.addEventListener('abort', shared.tell)
  return shared
}
