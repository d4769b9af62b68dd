/** Names the note of a day, so that all tabs and devices write one note for it. Reads dates of names and front matter in the local time zone. */

/** The title of the note of today: the local date, as notes apps name daily notes. */
export function today(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** The id of the note with this title if the title is a date; else undefined. */
export function idOfDay(title: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(title.trim()) ? `${prefix}${title.trim()}` : undefined
}

export function isDayId(id: string): boolean {
  return id.startsWith(prefix)
}

/** ms of the first date that a text begins with or contains, with its time if there is one; null without one. */
export function dateIn(text: string): number | null {
  const found = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)(?:[T ](\d{2}):(\d{2}))?/.exec(text)
  if (found === null) return null
  const [year, month, day, hour, minute] = found.slice(1).map((part) => Number(part ?? 0))
  const date = new Date(year!, month! - 1, day, hour, minute)
  const isReal = date.getMonth() === month! - 1 && date.getDate() === day
  return isReal ? date.getTime() : null
}

const prefix = 'day:'
