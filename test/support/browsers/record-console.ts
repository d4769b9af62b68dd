/**
 * Records a page's console from inside, for WebKit, whose driver reports none. It records messages of the page itself
 * after loading; from workers only uncaught errors.
 */
/** The body of a script to run once after each load. */
export const startRecording = `
  if (window.__messages !== undefined) return
  const messages = (window.__messages = [])
  const describe = (value) => {
    if (typeof value !== 'object' || value === null) return String(value)
    if (value instanceof Error) return String(value)
    try { return JSON.stringify(value) } catch { return String(value) }
  }
  for (const level of ['error', 'warn', 'info', 'log', 'debug']) {
    const original = console[level]
    console[level] = (...values) => {
      messages.push({ level, text: values.map(describe).join(' ') })
      original.apply(console, values)
    }
  }
  addEventListener('error', (event) => messages.push({ level: 'error', text: event.message || 'failed to load ' + (event.target?.src ?? event.target?.href) }), true)
  addEventListener('unhandledrejection', (event) => messages.push({ level: 'error', text: 'Unhandled rejection: ' + describe(event.reason) }))
`

/** An expression that returns the messages since its last evaluation. */
export const takeRecording = '(window.__messages ?? []).splice(0)'
