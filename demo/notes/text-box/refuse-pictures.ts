/** Says of a pasted picture or file that notes cannot keep it: a text box would drop it without a word. */
import { announce, make } from '../../shared/dom.ts'
import { showNotice } from '../../shared/notice.ts'

const sentence =
  'Notes cannot keep pictures or other files yet, so nothing was pasted. Paste a link to the file instead.'

/** Call once for each text box. */
export function refusePictures(body: HTMLTextAreaElement): void {
  let remove: (() => void) | undefined
  body.addEventListener('paste', (event) => {
    const { clipboardData } = event
    // Cells of a table and formatted text are copied as text and as a picture: the text is pasted.
    if (clipboardData === null || clipboardData.files.length === 0 || clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    remove?.()
    const close = make('button', { type: 'button', click: () => remove?.() }, 'Close')
    remove = showNotice('calm', make('p', {}, sentence), close)
    announce(sentence)
  })
}
