/** Reads the line format of the sample's texts. */

/**
 * @param {string} text
 * @returns {string[]} lines with content; lines that begin with `#` are comments
 */
export function readLines(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * @param {string} date `2026-03-01` or `2026-03-01 17:30`, in UTC; without a time of day: noon
 * @returns {number} ms
 */
export function timeOf(date) {
  const [day = '', hour = '12:00'] = date.split(' ')
  const ms = Date.parse(`${day}T${hour}:00Z`)
  if (Number.isNaN(ms))
    throw new Error(`The date of a sample record must be YYYY-MM-DD or YYYY-MM-DD HH:MM, got "${date}".`)
  return ms
}

/**
 * @param {string} text
 * @returns {string} lower-case words with hyphens, without accents; part of an id
 */
export function slugOf(text) {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
}
