/** Declares only the part of the extension API that the sidebar uses. */
declare namespace chrome {
  interface Event<Listener> {
    addListener(listener: Listener): void
  }

  namespace runtime {
    const onInstalled: Event<() => void>
    function getURL(path: string): string
    function sendMessage(message: string): Promise<void>
    const onMessage: Event<() => void>
  }

  namespace action {
    const onClicked: Event<(tab: tabs.Tab) => void>
  }

  namespace permissions {
    function request(wanted: { readonly origins: readonly string[] }): Promise<boolean>
  }

  namespace contextMenus {
    interface Clicked {
      readonly menuItemId: string | number
      readonly selectionText?: string
    }
    function removeAll(): Promise<void>
    function create(item: {
      readonly id: string
      readonly title: string
      readonly contexts: readonly string[]
      readonly documentUrlPatterns: readonly string[]
    }): void
    const onClicked: Event<(info: Clicked, tab?: tabs.Tab) => void>
  }

  namespace commands {
    const onCommand: Event<(command: string, tab?: tabs.Tab) => void>
  }

  namespace sidePanel {
    function open(where: { readonly windowId: number }): Promise<void>
    function setPanelBehavior(behavior: { readonly openPanelOnActionClick: boolean }): Promise<void>
  }

  namespace scripting {
    function executeScript<T>(injection: {
      readonly target: { readonly tabId: number }
      readonly func: () => T
    }): Promise<readonly { readonly result?: T }[]>
  }

  namespace storage {
    const local: {
      get(keys: string | null): Promise<Readonly<Record<string, unknown>>>
      set(values: Readonly<Record<string, unknown>>): Promise<void>
      remove(key: string): Promise<void>
      readonly onChanged: Event<() => void>
    }
  }

  namespace tabs {
    interface Tab {
      readonly id?: number
      readonly windowId: number
      readonly url?: string
      readonly title?: string
      readonly active: boolean
    }
    function query(filter: { readonly active: true; readonly currentWindow: true }): Promise<readonly Tab[]>
    const onActivated: Event<() => void>
    const onUpdated: Event<(tabId: number, change: object, tab: Tab) => void>
  }
}
