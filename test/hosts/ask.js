/**
 * The program of each app: opens a store, puts two records, asks by meaning alone. The runner copies this file into
 * every fixture.
 */
import { openRecall } from 'scrubjay'

export async function ask(options) {
  const store = await openRecall({ name: 'asked', ...options })
  await store.put([
    { id: 'a', title: 'How to compile the program' },
    { id: 'b', title: 'Apple pie' },
  ])
  const { hits, plan } = await store.recall({ text: 'building an application', limit: 1 })
  await store.close()
  return { ids: hits.map(({ id }) => id), isVectorRun: plan.channels.vector.ran }
}

/** In a page: into the element `#answer`. */
export async function show() {
  const answer = document.querySelector('#answer')
  answer.textContent = await ask().then(JSON.stringify, String)
}
