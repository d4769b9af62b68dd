/**
 * Handles the icon, menu entries and keys: puts a capture into the inbox and opens the panel, which stores it. This worker has
 * no state, because the browser may stop it at any time.
 */
import { addToInbox } from './inbox.ts'
import { canRemember } from './page-address.ts'
import { captureTab } from './read-tab.ts'

chrome.runtime.onInstalled.addListener(() => {
  // If the browser itself opened the panel, the press would not give the right to read the page.
  void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: false })
  // After an update, the entries of the previous version still exist.
  void chrome.contextMenus.removeAll().then(() => {
    const documentUrlPatterns = ['http://*/*', 'https://*/*', 'file:///*']
    const entries = { selection: 'Remember the selection', page: 'Remember this page' }
    for (const [context, title] of Object.entries(entries))
      chrome.contextMenus.create({ id: `remember-${context}`, title, contexts: [context], documentUrlPatterns })
  })
})

chrome.action.onClicked.addListener((tab) => {
  openPanel(tab)
  // An open panel may read this page now. Without one, sending fails.
  chrome.runtime.sendMessage('look').catch(() => undefined)
})

chrome.contextMenus.onClicked.addListener(({ menuItemId, selectionText }, tab) => {
  if (tab === undefined) return
  void remember(tab, menuItemId === 'remember-selection' ? (selectionText ?? '') : null)
})

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === 'remember' && tab !== undefined) void remember(tab, '')
})

async function remember(tab: chrome.tabs.Tab, selected: string | null): Promise<void> {
  // First and without waiting: a panel can be opened only during the user's gesture. If it fails, the capture waits in the inbox.
  openPanel(tab)
  if (canRemember(tab.url ?? '')) await addToInbox(await captureTab(tab, selected))
}

function openPanel({ windowId }: chrome.tabs.Tab): void {
  chrome.sidePanel.open({ windowId }).catch(() => undefined)
}
