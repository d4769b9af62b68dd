/** Recognises PDF files, also those that hold nothing but letters. */

/** `beginning`: of the file, a character for each byte. A file that is named so may have other bytes in front of the mark. */
export function isPdf(path: string, beginning: string): boolean {
  const at = beginning.slice(0, 1_024).indexOf('%PDF-')
  return at === 0 || (at > 0 && /\.pdf$/i.test(path))
}
