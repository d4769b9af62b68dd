/** The text with blanks in place of code blocks, code in lines and comments, whose signs are neither tags nor links. */

export function withoutCode(text: string): string {
  const lines: string[] = []
  let fence: string | null = null
  let isComment = false
  for (const line of text.split('\n')) {
    const mark: string | undefined = /^\s*(?:[-*+] |> ?)*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length && /^[\s>]*[`~]+\s*$/.test(line))
        fence = null
      lines.push(blank(line))
    } else if (mark !== undefined && !(mark[0] === '`' && line.slice(line.indexOf(mark) + mark.length).includes('`'))) {
      fence = mark
      lines.push(blank(line))
    } else if (isComment || /^%%(?!.*%%)/.test(line)) {
      isComment = !(isComment && line.includes('%%'))
      lines.push(blank(line))
    } else lines.push(line)
  }
  return lines
    .join('\n')
    .replaceAll(/(?<!`)(`{1,2})(?!`)([^\n]*?[^`\n])\1(?!`)/g, blank)
    .replaceAll(/%%[^\n]*?%%/g, blank)
}

const blank = (text: string) => ' '.repeat(text.length)
