/**
 * Handles menu entries and keys: puts a capture into the inbox and opens the panel, which stores it. This worker has no state,
 * because the browser may stop it at any time.
 */
import { addToInbox } from './inbox.ts'
import { captureTab } from './read-tab.ts'

chrome.runtime.onInstalled.addListener(() => {
  void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true })
  // After an update, the entries of the previous version still exist.
  void chrome.contextMenus.removeAll().then(() => {
    chrome.contextMenus.create({ id: 'remember-selection', title: 'Remember the selection', contexts: ['selection'] })
    chrome.contextMenus.create({ id: 'remember-page', title: 'Remember this page', contexts: ['page'] })
  })
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
  chrome.sidePanel.open({ windowId: tab.windowId }).catch(() => undefined)
  await addToInbox(await captureTab(tab, selected))
}
