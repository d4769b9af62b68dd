/**
 * Compares the files that records mention with a folder that the user chooses, and passes their states to the engine, which
 * derives freshness from them. Says so if the browser has no folder picker. A check that was stopped changes nothing.
 */
import type { Recall } from 'scrubjay'
import { folderPicker, listFolder, maxFiles, type PickFolder } from '../../shared/files/read-folder.ts'
import { counted, wholeNumber } from '../../shared/format.ts'
import { messageOf } from '../../shared/notice.ts'
import { announce, make, partById } from '../../shared/parts.ts'
import { type CheckedFolder, statesOf, storedPaths } from './file-states.ts'

/** File states per call; the engine accepts at most 10,000. */
const batchLength = 1000

/** `changed` is called after the engine has the new states. */
export function createFolderPanel(recall: Recall, { changed }: { readonly changed: () => void }): void {
  const outcome = make('div', { class: 'import-outcome', role: 'status' })
  const pick = folderPicker()
  partById('folder').append(
    make(
      'p',
      { class: 'quiet' },
      'Checks whether the files that records mention have changed. For the sample, choose a checkout of this project.',
    ),
    pick === null ? notHere() : chooser(pick),
    outcome,
  )

  function chooser(pickFolder: PickFolder): HTMLElement {
    const button = make('button', { type: 'button', id: 'pick-folder' }, 'Choose a folder')
    button.addEventListener('click', () => {
      button.disabled = true
      void check(pickFolder).finally(() => {
        button.disabled = false
      })
    })
    return make(
      'p',
      { class: 'buttons' },
      button,
      make('span', { class: 'quiet' }, 'Files are only read, and stay in this browser.'),
    )
  }

  async function check(pickFolder: PickFolder): Promise<void> {
    const stop = new AbortController()
    const progress = make('progress', { 'aria-label': 'Checking files' })
    const count = make('span', {}, 'Listing files …')
    try {
      const folder = await pickFolder()
      const button = make('button', { type: 'button', class: 'small', click: () => stop.abort() }, 'Stop')
      outcome.replaceChildren(make('div', { class: 'importing' }, progress, count, button))
      const stored = await storedPaths(recall, stop.signal)
      const files = await listFolder(
        folder,
        (seen) => (count.textContent = `${counted(seen, 'file')} seen`),
        stop.signal,
      )
      const read = (done: number, total: number) => {
        progress.max = total
        progress.value = done
        count.textContent = `${done} of ${total} read`
      }
      const checked = await statesOf(stored, folder.name, files, read, stop.signal)
      for (let from = 0; from < checked.states.length; from += batchLength)
        await recall.checkFiles(checked.states.slice(from, from + batchLength))
      report(describe(checked, folder.name, files.length))
      changed()
    } catch (error) {
      // The user closed the browser's dialog.
      if (stop.signal.aborted) report('Stopped. Nothing was changed.')
      else if (error instanceof DOMException && error.name === 'AbortError') outcome.replaceChildren()
      else report(`The folder could not be checked: ${messageOf(error)}`)
    }
  }

  function report(sentence: string): void {
    outcome.replaceChildren(make('p', { class: 'import-summary' }, sentence))
    announce(sentence)
  }
}

function describe({ states, unknown, unreadable }: CheckedFolder, name: string, seen: number): string {
  const gone = states.filter(({ exists }) => !exists).length
  const sentences = [
    `“${name}” contains ${counted(states.length - gone, 'file')} that records mention; ${wholeNumber(gone)} more ${gone === 1 ? 'is' : 'are'} missing.`,
    unknown > 0 ? `${counted(unknown, 'path')} may belong to another folder.` : '',
    unreadable > 0 ? `${counted(unreadable, 'file')} could not be read.` : '',
    seen >= maxFiles ? `Only the first ${wholeNumber(maxFiles)} files were checked.` : '',
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

function notHere(): HTMLElement {
  return make(
    'p',
    { class: 'notes', 'data-tone': 'warning' },
    'Not available in this browser: pages cannot read folders here. Use Chrome, Edge or Chromium to check freshness.',
  )
}
