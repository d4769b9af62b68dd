/** Saves files that the page made: a whole store as one export, or any blob. */
import type { Recall } from 'scrubjay'

/** The end of the name of an exported store. */
export const exportEnd = '.scrubjay'

/** Saves every record with its learned values, as `name` with the day of today. */
export async function downloadStore(recall: Pick<Recall, 'exportTo'>, name: string): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const bytes of recall.exportTo()) parts.push(Uint8Array.from(bytes))
  download(new Blob(parts, { type: 'application/octet-stream' }), `${name}-${today()}${exportEnd}`)
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Long enough for the download to start.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The day in UTC, as YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}
