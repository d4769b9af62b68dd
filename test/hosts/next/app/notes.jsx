'use client'
import { useEffect, useState } from 'react'
import { openRecall } from 'scrubjay'
import { useRecall } from 'scrubjay/react'

export function Notes() {
  const [store, setStore] = useState(null)
  const [problem, setProblem] = useState(null)
  useEffect(() => {
    const opening = openRecall({ name: 'notes' })
    opening
      .then(async (opened) => {
        await opened.put([
          { id: 'a', title: 'How to compile the program' },
          { id: 'b', title: 'Apple pie' },
        ])
        setStore(opened)
      })
      .catch((e) => setProblem(String(e)))
    return () => void opening.then((opened) => opened.close()).catch(() => undefined)
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
