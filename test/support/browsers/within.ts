/**
 * Deadlines for events that may never happen: every wait in the test support uses this file, so that a hang ends with
 * a sentence that names what was awaited.
 */

/** Resolves or rejects as the promise does, or rejects after `timeoutMs` with a message that names `what`. */
export async function within<T>(timeoutMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/** Polls until the condition returns a value other than null; its errors count as null until the end. */
export async function until<T>(timeoutMs: number, what: string, condition: () => Promise<T | null>): Promise<T> {
  const endMs = performance.now() + timeoutMs
  let lastError: unknown = null
  while (performance.now() < endMs) {
    try {
      const result = await condition()
      if (result !== null) return result
    } catch (error) {
      lastError = error
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(
    `${what} took longer than ${timeoutMs} ms${lastError === null ? '' : `; last error: ${String(lastError)}`}`,
  )
}
