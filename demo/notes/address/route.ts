/** Keeps the current view in the address: home, a note, a new note, or the note of today. So the back button, links and reloads work. */

export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'note'; readonly id: string }
  | { readonly kind: 'new'; readonly title: string }
  | { readonly kind: 'today' }

export function readRoute(): Route {
  if (location.hash === '#today') return { kind: 'today' }
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

/** Replaces the address of a new note after it was stored, without a new history entry. */
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
