/** Where one is, in the address: at home, at a note, or at a new one. So the back button, links and reloads work. */

export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'note'; readonly id: string }
  | { readonly kind: 'new'; readonly title: string }

export function readRoute(): Route {
  const [, kind, rest = ''] = /^#(note|new)\/(.*)$/.exec(location.hash) ?? []
  const value = decode(rest)
  if (kind === 'note' && value !== '') return { kind, id: value }
  return kind === 'new' ? { kind, title: value } : { kind: 'home' }
}

export function noteHref(id: string): string {
  return `#note/${encodeURIComponent(id)}`
}

export function newHref(title = ''): string {
  return `#new/${encodeURIComponent(title)}`
}

/** A new note has an address of its own once it is stored; that is no step to go back over. */
export function replaceRoute(href: string): void {
  history.replaceState(null, '', href)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
