/**
 * Defines `<scrubjay-inspector>`, which shows a store in the page that has it open. It uses only public methods and writes nothing.
 * The class is created in the function, so that this module can be loaded without a document.
 */
import type { Recall } from '../../client/api/recall.ts'
import type { PageElement } from '../../protocol/platform-types.ts'
import { createTelemetry, type Telemetry, withTelemetry } from '../report/telemetry.ts'
import { element } from './element.ts'
import { openQueryPanel, type Panel } from './query-panel.ts'
import { openRecordsPanel } from './records-panel.ts'
import { openStorePanel } from './store-panel.ts'
import { styles } from './styles.ts'
import { openTelemetryPanel } from './telemetry-panel.ts'

/** The methods of a store that the inspector uses. */
export type InspectedStore = Pick<Recall, 'recall' | 'acknowledge' | 'list' | 'count' | 'status' | 'subscribe'>

export type InspectorElement = PageElement & {
  /** The store to show; null: none. Default null. */
  recall: InspectedStore | null
  /** Counts of `withTelemetry` of the app's store. null: the inspector counts only its own queries. Default null. */
  telemetry: Telemetry | null
}

/** Shortest time between two reads of a changing store (ms), so that an import does not cause one read per batch. */
const refreshMs = 300

/** Defines the element. Later calls do nothing. Needs a document. */
export function defineInspector(name = 'scrubjay-inspector'): void {
  if (customElements.get(name)) return
  // A class, because custom elements must be classes.
  class Inspector extends HTMLElement implements InspectorElement {
    #store: InspectedStore | null = null
    #telemetry: Telemetry | null = null
    #end: (() => void) | undefined

    get recall(): InspectedStore | null {
      return this.#store
    }

    set recall(store: InspectedStore | null) {
      this.#store = store
      this.#draw()
    }

    get telemetry(): Telemetry | null {
      return this.#telemetry
    }

    set telemetry(telemetry: Telemetry | null) {
      this.#telemetry = telemetry
      this.#draw()
    }

    connectedCallback(): void {
      this.#draw()
    }

    disconnectedCallback(): void {
      this.#end?.()
      this.#end = undefined
    }

    #draw(): void {
      this.#end?.()
      this.#end = undefined
      if (!this.isConnected) return
      const root = this.shadowRoot ?? openRoot(this)
      this.#end = drawInspector(root, this.#store, this.#telemetry)
    }
  }
  customElements.define(name, Inspector)
}

function openRoot(host: HTMLElement): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  return root
}

/** Fills the root. The returned function ends its calls and subscriptions. */
function drawInspector(root: ShadowRoot, opened: InspectedStore | null, shared: Telemetry | null): () => void {
  const line = element('p', {}, opened === null ? 'no store' : 'opening')
  const header = element('header', {}, element('h2', {}, 'Scrubjay'), line)
  if (opened === null) {
    root.replaceChildren(header)
    return () => undefined
  }
  const telemetry = shared ?? createTelemetry()
  // A store with shared telemetry is already wrapped by the app.
  const store = shared === null ? withTelemetry(opened, telemetry) : opened
  const query = openQueryPanel(store)
  const records = openRecordsPanel(store)
  const status = openStorePanel(store, (text) => line.replaceChildren(text))
  const counted = openTelemetryPanel(telemetry)
  root.replaceChildren(
    header,
    part('Query', query, true),
    part('Records', records, false),
    part('Store', status, false),
    part('Telemetry', counted, false),
  )
  const refresh = () => void Promise.all([status.refresh(), records.refresh()])
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = store.subscribe(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      refresh()
    }, refreshMs)
  })
  refresh()
  return () => {
    clearTimeout(timer)
    unsubscribe()
    for (const panel of [query, records, status, counted]) panel.end()
  }
}

function part(name: string, { root }: Panel, open: boolean): HTMLElement {
  return element('details', { class: 'part', open }, element('summary', {}, name), root)
}
