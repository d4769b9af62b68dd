/** The sample store as a file: an export that the build makes, with vectors, so that no record is embedded on the first visit. */
import type { Recall } from 'scrubjay'

export async function importSample(recall: Recall): Promise<void> {
  const response = await fetch(new URL('sample.scrubjay', document.baseURI))
  if (!response.ok) throw new Error(`The server answered sample.scrubjay with status ${response.status}.`)
  await recall.importFrom(await response.arrayBuffer(), { mode: 'merge' })
}
