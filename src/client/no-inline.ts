/** Stands for the inline engine where `#inline` is resolved for a browser, so that no page bundles a second engine. */
import { recallError } from '../core/model/errors.ts'

/** Throws `INVALID_CONFIG`. */
export function openInline(): never {
  throw recallError('INVALID_CONFIG', 'is not part of a bundle for browsers', {
    field: 'runtime',
    value: 'inline',
    cure: 'Use "auto" or "worker"; inline is for Node.',
  })
}
