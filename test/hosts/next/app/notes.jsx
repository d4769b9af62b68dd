'use client'
import { useEffect, useState } from 'react'
import { openRecall } from 'scrubjay'
import { useRecall } from 'scrubjay/react'

export function Notes() {
  const [store, setStore] = useState(null)
  const [problem, setProblem] = useState(null)
  useEffect(() => {
    // React's strict mode runs an effect twice: what the first one opened is closed again, and its errors are nobody's.
    let isCurrent = true
    const opening = openRecall({ name: 'notes' })
    const fill = async () => {
      const opened = await opening
      await opened.put([
        { id: 'a', title: 'How to compile the program' },
        { id: 'b', title: 'Apple pie' },
      ])
      if (isCurrent) setStore(opened)
    }
    fill().catch((error) => isCurrent && setProblem(String(error)))
    return () => {
      isCurrent = false
      opening.then((opened) => opened.close()).catch(() => undefined)
    }
  }, [])
  const { result } = useRecall(store, { text: 'building an application', limit: 1 })
  return (
    <pre id="answer">
      {problem ??
        (result
          ? JSON.stringify({ ids: result.hits.map((hit) => hit.id), isVectorRun: result.plan.channels.vector.ran })
          : 'waiting')}
    </pre>
  )
}
