/** Offers to load the sample into an empty store, or to start with the user's own files. */
import { make, partById } from '../../shared/dom.ts'

/** `own` shows where to add files. */
export function emptyStore(loadSample: () => Promise<void>, showImport: () => void): HTMLElement {
  const sentence = make(
    'p',
    {},
    make('strong', {}, 'Your store is empty.'),
    ' Load the sample to look around, or add your own files.',
  )
  const load = make('button', { type: 'button', 'data-empty': 'sample', click: () => void fill() }, 'Load the sample')
  const own = make('button', { type: 'button', 'data-empty': 'own', click: goToImport }, 'Start empty')
  const buttons = make('p', { class: 'buttons' }, load, own)
  return make('div', { class: 'empty-store' }, sentence, buttons)

  async function fill(): Promise<void> {
    load.disabled = own.disabled = true
    await loadSample()
  }

  function goToImport(): void {
    sentence.replaceChildren('Your store is empty. Drop files or a folder anywhere on this page.')
    buttons.remove()
    showImport()
    const picker = partById('files')
    picker.focus({ preventScroll: true })
    partById('import').scrollIntoView({ block: 'nearest' })
  }
}
