/** Hook that assembles a context package when the request changes or `refresh` is called. */
import { useCallback, useEffect, useState } from 'react'
import type { CallOptions } from '../client/api/recall.ts'
import { keyOf } from './key-of.ts'

export interface UsedAssemble<Package> {
  /** The last package. While a new request runs, the package of the previous request. */
  readonly result: Package | undefined
  /** Why the last request failed; undefined if it did not. */
  readonly error: unknown
  /** `idle` without store or request, `pending` while a request runs. */
  readonly status: 'idle' | 'pending' | 'ready' | 'error'
  /** Repeats the request, for example after records were stored. */
  readonly refresh: () => void
}

/** A store, or another object with this method. */
export interface Assembler<Request, Package> {
  assemble(request: Request, options?: CallOptions): Promise<Package>
}

interface Answer<Package> {
  readonly assembler: object
  readonly key: string
  readonly result: Package | undefined
  readonly error: unknown
}

/** Assembles a context package for a request, which is compared by value. Outdated requests are aborted. `null` for either runs none. */
export function useAssemble<Request, Package>(
  assembler: Assembler<Request, Package> | null | undefined,
  request: Request | null | undefined,
): UsedAssemble<Package> {
  const [turn, setTurn] = useState(0)
  const [answer, setAnswer] = useState<Answer<Package> | null>(null)
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const key = assembler && request !== null && request !== undefined ? `${turn} ${keyOf(request)}` : null

  useEffect(() => {
    if (!assembler || key === null) return undefined
    const ending = new AbortController()
    const tell = (change: Pick<Answer<Package>, 'error'> | Pick<Answer<Package>, 'result'>) => {
      if (ending.signal.aborted) return
      setAnswer((before) => ({ result: before?.result, error: undefined, ...change, assembler, key }))
    }
    assembler.assemble(request as Request, { signal: ending.signal }).then(
      (result) => tell({ result }),
      (error: unknown) => tell({ error }),
    )
    return () => ending.abort()
    // `key` is `request` as text: an equal request does not ask again.
  }, [assembler, key])

  if (key === null) return { result: undefined, error: undefined, status: 'idle', refresh }
  if (answer?.assembler !== assembler || answer?.key !== key)
    return { result: answer?.result, error: undefined, status: 'pending', refresh }
  const { result, error } = answer
  return { result, error, status: error === undefined ? 'ready' : 'error', refresh }
}
