/**
 * Relays, and owns nothing: a menu entry or a key becomes a wish in the inbox, and the panel is opened to take it out.
 * The browser may stop this worker after any of its lines; what it must remember is in the inbox by then or was not asked for.
 */
import { addToInbox } from './inbox.ts'
import { wishFor } from './read-tab.ts'

chrome.runtime.onInstalled.addListener(() => {
  void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true })
  // An update finds the entries of the version before.
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
  // First and without waiting: a panel may be opened only while the gesture lasts. Where it may not, the wish waits.
  chrome.sidePanel.open({ windowId: tab.windowId }).catch(() => undefined)
  await addToInbox(await wishFor(tab, selected))
}
