/** Finds and makes elements. Text is only ever set as text: nothing here parses markup, so no record can add any. */

type Attribute = string | number | boolean | null | undefined | ((event: Event) => void)
export type Child = Node | string | null

/** The element of that id. Throws when the page has none of that type: then page and program do not fit together. */
export function partById<T extends HTMLElement = HTMLElement>(
  id: string,
  type: { new (): T; readonly name: string } = HTMLElement as { new (): T; readonly name: string },
): T {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} called ${id}.`)
  return found
}

/**
 * Makes an element. Functions become listeners of the event they are named after (`click`), `false`, null and undefined
 * leave the attribute out.
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== null))
  return element
}

/** Makes an SVG element; it takes no listeners. */
export function draw(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: Node[]): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}

/** Text for screen readers alone. */
export function hidden(text: string): HTMLElement {
  return make('span', { class: 'hidden' }, text)
}

/** Says something to screen readers without moving anything. */
export function announce(text: string): void {
  partById('live').textContent = text
}
