/** Files dropped anywhere on the page; while they hover, the page says so. */
export function listenToDrops(dropped: (files: readonly File[]) => void): void {
  const { body } = document
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    body.dataset['dropping'] = ''
  })
  addEventListener('dragleave', (event) => {
    // Leaving one element for another within the page is not leaving.
    if (event.relatedTarget === null) delete body.dataset['dropping']
  })
  addEventListener('drop', (event) => {
    delete body.dataset['dropping']
    if (!hasFiles(event)) return
    event.preventDefault()
    dropped([...(event.dataTransfer?.files ?? [])])
  })
}
