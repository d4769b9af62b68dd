/**
 * `<scrubjay-inspector>`: a store looked at from the page that has it open. It asks only what any page could, and writes nothing.
 * The class is made when it is defined: modules of this entry can be loaded where there is no document.
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

/** The methods of a store that are used. */
export type InspectedStore = Pick<Recall, 'recall' | 'acknowledge' | 'list' | 'count' | 'status' | 'subscribe'>

export type InspectorElement = PageElement & {
  /** The store that is looked at; null for none. */
  recall: InspectedStore | null
  /** What is shown, counted by `withTelemetry` of the app's store. Null, the default: one of its own, of its own queries. */
  telemetry: Telemetry | null
}

/** ms between two readings of a store that changes: an import must not be a reading per batch. */
const refreshMs = 300

/** Defines the element once; later calls do nothing. Only where there is a document. */
export function defineInspector(name = 'scrubjay-inspector'): void {
  if (customElements.get(name)) return
  // A class, for the platform knows no other way to make an element.
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

/** Fills the root; the returned function ends what it began. */
function drawInspector(root: ShadowRoot, given: InspectedStore | null, shared: Telemetry | null): () => void {
  const line = element('p', {}, given === null ? 'no store' : 'opening')
  const header = element('header', {}, element('h2', {}, 'Scrubjay'), line)
  if (given === null) {
    root.replaceChildren(header)
    return () => undefined
  }
  const telemetry = shared ?? createTelemetry()
  // What the app shares is counted where the app wraps its store.
  const store = shared === null ? withTelemetry(given, telemetry) : given
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
