/** Measures in the page how long a key in a note keeps it busy. */

/**
 * Ratio of the time that a key keeps the page busy in a note to that in a plain text field of the same text and size,
 * by their medians, with 4 ms added to both, so that very short times count as equal.
 */
export function slownessOf(keys: number): string {
  return `(() => {
    const note = one('#note-body')
    const plain = document.createElement('textarea')
    plain.value = note.value
    plain.style.cssText = 'position: fixed; inset: 0; inline-size: 40rem; block-size: 30rem; font: 1rem sans-serif'
    document.body.append(plain)
    const press = (field) => {
      field.focus()
      field.setSelectionRange(field.value.length / 2, field.value.length / 2)
      field.offsetHeight
      const startMs = performance.now()
      document.execCommand('insertText', false, 'a')
      document.body.offsetHeight
      return performance.now() - startMs
    }
    const times = { note: [], plain: [] }
    for (let key = 0; key < ${keys}; key++) {
      times.plain.push(press(plain))
      times.note.push(press(note))
    }
    plain.remove()
    const median = (all) => all.sort((a, b) => a - b)[all.length >> 1] + 4
    return median(times.note) / median(times.plain)
  })()`
}
