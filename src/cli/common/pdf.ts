/** Opens PDF files with the package unpdf, if it is installed next to scrubjay. */
import { createRequire } from 'node:module'
import type { OpenPdf } from '../../import/index.ts'

/** A name in a variable: the package is optional, and its types need not be installed. */
const name = 'unpdf'

/** Undefined without the package. It is loaded by the first PDF file. */
export function pdfOpener(): OpenPdf | undefined {
  try {
    createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
  return async (data) => {
    const { getDocumentProxy } = (await import(name)) as {
      getDocumentProxy(data: Uint8Array, options: { readonly verbosity: number }): ReturnType<OpenPdf>
    }
    // Its warnings would be lines between those of the command.
    return getDocumentProxy(data, { verbosity: 0 })
  }
}
