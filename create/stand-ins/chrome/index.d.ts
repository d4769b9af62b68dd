/** For `npm run types` here: the part of Chrome's API that the template `sidebar` uses. Its app installs `@types/chrome`. */
declare namespace chrome {
  const action: { onClicked: { addListener(listener: (tab: { readonly windowId: number }) => void): void } }
  const sidePanel: { open(options: { readonly windowId: number }): Promise<void> }
  const tabs: { query(query: object): Promise<readonly { readonly id?: number }[]> }
  const scripting: {
    executeScript<T>(injection: {
      readonly target: { readonly tabId: number }
      readonly func: () => T
    }): Promise<readonly { readonly result?: T }[]>
  }
}
