/** Creates elements without parsing HTML, so that strict policies and Trusted Types allow it. */

export type Child = Node | string | null | undefined

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** `true` sets an attribute without a value; `false` and `undefined` leave it out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children)
}

export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function fill<E extends Element>(made: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : `${value}`)
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child)
  return made
}
