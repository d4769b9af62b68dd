/**
 * Helpers for tests of the demo's page: short functions for source that runs in it, and checks for accessibility
 * faults.
 */

/** Short functions for the page, put before each piece of source that runs in it. */
export const demoTools = `
  const one = (selector) => document.querySelector(selector)
  const all = (selector) => [...document.querySelectorAll(selector)]
  const text = (selector) => one(selector)?.textContent
  const hit = () => one('.hit')
  const heading = () => text('#answer-heading')
  const ids = () => all('.hit').map((one) => one.dataset.id)
  const marked = () => [...hit().querySelectorAll('mark')].map((mark) => mark.textContent)
  const chip = (name) => one('[data-chip="' + name + '"]')
  const type = (text) => {
    const query = one('#query')
    query.value = text
    query.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const ask = (text) => { type(text); one('#query').form.requestSubmit() }
  const transfer = (...files) => { const data = new DataTransfer(); for (const file of files) data.items.add(file); return data }
  const toast = (name) => one('.toast:last-child [data-toast=' + name + ']')
  const canDeleteNow = () => toast('now')?.getAttribute('aria-disabled') === null
  const drop = (file) => {
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer(file) }))
  }
  const pick = (file) => {
    const input = one('#files')
    input.files = transfer(file).files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const badgesOf = (id) => [...(one('.hit[data-id="' + id + '"]')?.querySelectorAll('.badge') ?? [])].map((badge) => badge.textContent)
  const fact = (name) => all('#how dt').find((one) => one.textContent === name)?.nextElementSibling.textContent ?? ''
  const fill = (selector, text) => {
    one(selector).value = text
    one(selector).dispatchEvent(new Event('input', { bubbles: true }))
  }
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
`

/** Faults for users of screen readers; an empty list is good. */
export const demoFaults = `
  ${demoTools}
  const found = []
  const expectOne = (selector) => { if (all(selector).length !== 1) found.push(selector + ': ' + all(selector).length) }
  for (const selector of ['main', 'body > header', 'body > footer', 'h1', '[role="search"]', '[aria-live="polite"][role="status"]#live'])
    expectOne(selector)
  if (document.documentElement.lang === '') found.push('no language')
  for (const control of all('button, input, textarea, summary, a')) {
    const name = control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? control.textContent
    if (name.trim() === '') found.push('no name: ' + control.outerHTML.slice(0, 80))
  }
  for (const image of all('img:not([alt]), svg:not([aria-hidden]):not([aria-label])')) found.push('no text: ' + image.outerHTML.slice(0, 80))
  for (const region of all('section, [role="group"], [role="region"]'))
    if (!region.hasAttribute('aria-label') && !document.getElementById(region.getAttribute('aria-labelledby')))
      found.push('no label: ' + region.outerHTML.slice(0, 80))
  const known = all('[id]').map((element) => element.id)
  for (const id of known) if (known.indexOf(id) !== known.lastIndexOf(id)) found.push('twice: ' + id)
  let level = 0
  for (const heading of all('h1, h2, h3, h4')) {
    const next = Number(heading.tagName[1])
    if (next > level + 1) found.push('heading leaps: ' + heading.textContent)
    level = next
  }
  for (const table of all('table')) if (!table.caption) found.push('no caption')
  return found
`
