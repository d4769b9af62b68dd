/// <reference types="chrome" />
/** A press of the icon opens the panel, and gives the extension the right to read that tab (activeTab). */
chrome.action.onClicked.addListener(({ windowId }) => {
  // At once: a panel can be opened only during the gesture.
  void chrome.sidePanel.open({ windowId })
})
