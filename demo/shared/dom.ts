/** Finds and creates elements. Text is always set as text and never parsed as markup, so records cannot add markup. */

type Attribute = string | number | boolean | null | undefined | ((event: Event) => void)
export type Child = Node | string | null

/** The element of that id. Throws if the page has none of that type, that is, if page and program do not match. */
export function partById<T extends HTMLElement = HTMLElement>(
  id: string,
  type: { new (): T; readonly name: string } = HTMLElement as { new (): T; readonly name: string },
): T {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`The page has no ${type.name} called ${id}.`)
  return element
}

/**
 * Creates an element. A function becomes the listener of the event with the attribute's name (`click`). Attributes with
 * `false`, null or undefined are left out.
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

/** Creates an SVG element, without listeners. */
export function draw(tag: string, attributes: Readonly<Record<string, string | number>>, ...children: Node[]): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  element.append(...children)
  return element
}

/** Text for screen readers only. */
export function hidden(text: string): HTMLElement {
  return make('span', { class: 'hidden' }, text)
}

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  partById('live').textContent = text
}
