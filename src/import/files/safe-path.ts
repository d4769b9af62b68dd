/** Normalises a path inside an archive or a selection, and refuses one that leaves its folder. */

/** With `/`, without `.` and empty parts; null if it is absolute, has `..` as a part, names a drive, or has no name at all. */
export function safePath(path: string): string | null {
  const plain = path.replaceAll('\\', '/')
  if (plain.startsWith('/') || /^[a-z]:/i.test(plain) || plain.includes('\0')) return null
  const parts = plain.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? null : parts.join('/')
}

/** Folders and files that apps keep for themselves. */
export function isPrivate(path: string): boolean {
  return path
    .split('/')
    .some((part) => (part.startsWith('.') && part !== '.') || part === '__MACOSX' || part === 'node_modules')
}
