/** Notes to search, and the ids of answers. */

export const notes = [
  { id: 'friday', title: 'Migration', body: 'The migration of the database runs on Friday.' },
  { id: 'monday', title: 'Migration', body: 'The migration of the mail runs on Monday, two words long.' },
  { id: 'both', title: 'Plans', body: 'Two migrations: Friday or Monday. Words of two.' },
  { id: 'file', body: 'The migration is in a file.', files: [{ path: 'src/friday/run.ts' }] },
  { id: 'other', title: 'Lunch', body: 'Noodles.' },
]
export const idsOf = ({ hits }: { readonly hits: readonly { readonly id: string }[] }) =>
  hits.map(({ id }) => id).sort()
