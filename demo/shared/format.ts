/** Formats numbers, times and sizes for the page. */

/** `1,234`, in the reader's locale. */
export function wholeNumber(value: number): string {
  return value.toLocaleString()
}

/** `1 record`, `2 records`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? one : many}`
}

/** A score or one of its parts: enough digits to compare parts, with a true minus sign; `< 0.0001` for smaller sizes. */
export function amount(value: number): string {
  const size = Math.abs(value)
  if (size > 0 && size < 0.000_05) return value < 0 ? '> −0.0001' : '< 0.0001'
  const digits = size >= 100 ? 0 : size >= 0.01 || size === 0 ? 2 : 4
  return `${value < 0 ? '−' : ''}${size.toFixed(digits)}`
}

/** `0.8 ms`, `12 ms`, `1.4 s`. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`
  return `${value >= 10 ? Math.round(value) : value.toFixed(1)} ms`
}

/** `3.2 MB`, in powers of 1,000 as browsers count quota. */
export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** power
  return `${power === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`
}

/** `3 Mar 2026`, in the reader's locale. */
export function day(ms: number): string {
  return dayFormat.format(ms)
}

// Made once: a list of hits formats a day for each row, and making a format takes longer than making a row.
const dayFormat = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' })
const momentFormat = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

/** `3 – 9 Mar 2026`, `since 3 Mar 2026`, in the reader's locale; with hours if the range begins or ends within a day. Half-open. */
export function dayRange(from: number | null, before: number | null): string {
  const last = before === null ? null : before - 1
  const isWhole = [from, before].every((ms) => ms === null || new Date(ms).toTimeString().startsWith('00:00'))
  const format = new Intl.DateTimeFormat(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    ...(isWhole ? {} : { hour: 'numeric', minute: '2-digit' }),
  })
  if (from === null) return last === null ? 'any time' : `until ${format.format(last)}`
  if (last === null) return `since ${format.format(from)}`
  return format.formatRange(from, isWhole ? last : last + 1)
}

/** Day and time in the reader's locale, for tooltips. */
export function moment(ms: number): string {
  return momentFormat.format(ms)
}
