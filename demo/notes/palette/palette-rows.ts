/** Chooses the rows of the palette: commands and notes that a text names, then the notes that answer it; and the selected one. Pure. */
import { titleKey } from '../../shared/title-first.ts'
import type { NoteLine } from '../model/note.ts'

export interface Command {
  readonly name: string
  run(): void
}

export type PaletteRow =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'note'; readonly line: NoteLine }
  | { readonly kind: 'create'; readonly title: string }

const mostNotes = 8

/** `lines`: in the order of the list. `found`: the notes that the store found for this text, the best first. */
export function paletteRows(
  text: string,
  commands: readonly Command[],
  lines: readonly NoteLine[],
  found: readonly NoteLine[],
): readonly PaletteRow[] {
  const key = titleKey(text)
  const asCommand = (command: Command): PaletteRow => ({ kind: 'command', command })
  const asNote = (line: NoteLine): PaletteRow => ({ kind: 'note', line })
  if (key === '') return [...lines.slice(0, mostNotes).map(asNote), ...commands.map(asCommand)]
  const named = lines.filter((line) => line.key === key || line.otherKeys.includes(key)).slice(0, 1)
  const begun = lines.filter((line) => line.key.startsWith(key))
  const inside = lines.filter((line) => line.key.includes(key))
  const notes = [...new Set([...named, ...begun, ...inside, ...found])].slice(0, mostNotes)
  const words = key.split(' ')
  const isMeant = ({ name }: Command) => {
    const own = name.toLowerCase().split(' ')
    return words.every((word) => own.some((one) => one.startsWith(word)))
  }
  const [first = [], rest] = named.length > 0 ? [notes.slice(0, 1), notes.slice(1)] : [[], notes]
  return [
    ...first.map(asNote),
    ...commands.filter(isMeant).map(asCommand),
    ...rest.map(asNote),
    ...(named.length > 0 ? [] : [{ kind: 'create', title: text.trim() } as const]),
  ]
}

/** Names a row, whatever its place. */
export function nameOf(row: PaletteRow): string {
  return row.kind === 'note' ? `note ${row.line.id}` : row.kind === 'command' ? `command ${row.command.name}` : 'create'
}

/**
 * The place of the selected row; −1 for none. `chosen`: the name of the row that the person moved to, or null. `isWhole`: no more rows will
 * come, so the last one, which begins a note, may be the selected one.
 */
export function selectedPlace(rows: readonly PaletteRow[], chosen: string | null, isWhole: boolean): number {
  const place = rows.findIndex((row) => nameOf(row) === chosen)
  if (place >= 0) return place
  return rows[0]?.kind === 'create' && !isWhole ? -1 : 0
}
