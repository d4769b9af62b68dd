/** What a person types to open locked notes. */
import { make } from '../../shared/dom.ts'

/** Notes that no tab uses for so long lock themselves. */
export const idleMs = 15 * 60_000

/** A recovery code has seven groups of five letters and digits; everything else is a passphrase. */
export function secretOf(typed: string): { readonly recoveryCode: string } | { readonly passphrase: string } {
  const isCode = /^\s*(?:[0-9a-z]{5}[\s-]+){6}[0-9a-z]{5}\s*$/i.test(typed)
  return isCode ? { recoveryCode: typed } : { passphrase: typed }
}

/** `kind`: for the password manager of the browser. */
export function secretField(id: string, name: string, kind: 'current-password' | 'new-password') {
  const input = make('input', { id, type: 'password', autocomplete: kind, spellcheck: 'false', required: true })
  return { input, line: make('p', { class: 'setting' }, make('label', { for: id }, name), input) }
}
