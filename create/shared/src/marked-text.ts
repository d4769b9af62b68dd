import type { Hit } from 'scrubjay'

/** The text of a hit with the found words marked. */
export function markedText({ text, marks }: Hit['snippet']): DocumentFragment {
  const fragment = document.createDocumentFragment()
  let done = 0
  for (const [from, to] of marks) {
    const mark = document.createElement('mark')
    mark.textContent = text.slice(from, to)
    fragment.append(text.slice(done, from), mark)
    done = to
  }
  fragment.append(text.slice(done))
  return fragment
}
