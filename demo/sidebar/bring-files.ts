/** Brings files into the memories: bookmarks, history, saved pages, notes, chats. A file of a page has the address of that page. */
import type { Recall, RecordInput } from 'scrubjay'
import { partById } from '../shared/dom.ts'
import { listenToDrops } from '../shared/files/drops.ts'
import { type NamedFile, pickedFiles } from '../shared/files/named-files.ts'
import { importFiles } from '../shared/import/import-files.ts'
import { pageOf, siteOf } from './page-address.ts'

export function createBringing(recall: Recall): void {
  const fold = partById('bring', HTMLDetailsElement)
  const picker = partById('bring-files', HTMLInputElement)
  picker.addEventListener('change', () => {
    bring(Promise.resolve(pickedFiles(picker.files ?? [])))
    picker.value = ''
  })
  listenToDrops((dropped) => {
    fold.open = true
    fold.scrollIntoView({ block: 'nearest' })
    bring(dropped)
  })

  function bring(files: Promise<readonly NamedFile[]>): void {
    const outcome = partById('bring-outcome')
    void importFiles(files, { recall, outcome, noun: 'memory', many: 'memories', record: {}, toOwn: memoriesOf })
  }
}

async function* memoriesOf(records: AsyncIterable<RecordInput>): AsyncIterable<RecordInput> {
  for await (const record of records) {
    const url = record.metadata?.['url']
    yield typeof url === 'string'
      ? { ...record, project: siteOf(url), metadata: { ...record.metadata, url: pageOf(url) } }
      : record
  }
}
