/** A context package for a request, as a hook: asked when the request changes and when the app asks again. */
import { useCallback, useEffect, useState } from 'react'
import type { CallOptions } from '../client/api/recall.ts'
import { keyOf } from './key-of.ts'

export interface UsedAssemble<Package> {
  /** The last package; of the request before while the new one is under way. */
  readonly result: Package | undefined
  readonly error: unknown
  readonly status: 'idle' | 'pending' | 'ready' | 'error'
  /** Asks again, for instance after something was stored. */
  readonly refresh: () => void
}

/** What assembles: a store, or anything with this one method. */
export interface Assembler<Request, Package> {
  assemble(request: Request, options?: CallOptions): Promise<Package>
}

interface Answer<Package> {
  readonly assembler: object
  readonly asked: string
  readonly result: Package | undefined
  readonly error: unknown
}

/** The request is compared by value; one that is no longer wanted is aborted. `null` for either asks nothing. */
export function useAssemble<Request, Package>(
  assembler: Assembler<Request, Package> | null | undefined,
  request: Request | null | undefined,
): UsedAssemble<Package> {
  const [turn, setTurn] = useState(0)
  const [answer, setAnswer] = useState<Answer<Package> | null>(null)
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const asked = assembler && request !== null && request !== undefined ? `${turn} ${keyOf(request)}` : null

  useEffect(() => {
    if (!assembler || asked === null) return undefined
    const ending = new AbortController()
    const tell = (change: Pick<Answer<Package>, 'error'> | Pick<Answer<Package>, 'result'>) => {
      if (ending.signal.aborted) return
      setAnswer((before) => ({ result: before?.result, error: undefined, ...change, assembler, asked }))
    }
    assembler.assemble(request as Request, { signal: ending.signal }).then(
      (result) => tell({ result }),
      (error: unknown) => tell({ error }),
    )
    return () => ending.abort()
    // By value: `asked` says all that `request` does.
  }, [assembler, asked])

  if (asked === null) return { result: undefined, error: undefined, status: 'idle', refresh }
  if (answer?.assembler !== assembler || answer?.asked !== asked)
    return { result: answer?.result, error: undefined, status: 'pending', refresh }
  const { result, error } = answer
  return { result, error, status: error === undefined ? 'ready' : 'error', refresh }
}
