/** Takes files and folders dropped anywhere on the page, and marks the page while they hover over it. */
import { droppedFiles, type NamedFile } from './named-files.ts'

export function listenToDrops(dropped: (files: Promise<readonly NamedFile[]>) => void): void {
  const { body } = document
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    body.dataset['dropping'] = ''
  })
  addEventListener('dragleave', (event) => {
    // Moving between elements of the page also sends `dragleave`.
    if (event.relatedTarget === null) delete body.dataset['dropping']
  })
  addEventListener('drop', (event) => {
    delete body.dataset['dropping']
    if (!hasFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer !== null) dropped(droppedFiles(event.dataTransfer))
  })
}
