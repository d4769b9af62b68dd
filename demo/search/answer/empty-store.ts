/** Offers to load the sample into a store without it, or to start with the user's own files. */
import { make, partById } from '../../shared/dom.ts'

/** `isSample`: the sample is missing; otherwise only the user's own records are. `showImport` shows where to add files. */
export function emptyStore(isSample: boolean, loadSample: () => Promise<void>, showImport: () => void): HTMLElement {
  const sentence = isSample
    ? make(
        'p',
        {},
        make('strong', {}, 'Your store is empty.'),
        ' Load the sample to look around, or add your own files.',
      )
    : make('p', {}, make('strong', {}, 'You have added nothing yet.'), ' Your files stay in this browser.')
  const load = make('button', { type: 'button', 'data-empty': 'sample', click: () => void fill() }, 'Load the sample')
  const start = isSample ? 'Start empty' : 'Add your own files'
  const own = make('button', { type: 'button', 'data-empty': 'own', click: goToImport }, start)
  const buttons = make('p', { class: 'buttons' }, isSample ? load : null, own)
  return make('div', { class: 'empty-store' }, sentence, buttons)

  async function fill(): Promise<void> {
    load.disabled = own.disabled = true
    await loadSample()
  }

  function goToImport(): void {
    sentence.replaceChildren('Drop files or a folder anywhere on this page.')
    buttons.remove()
    showImport()
    partById('files').focus({ preventScroll: true })
  }
}
