/** Writes the first notes: some explain the app, others are examples to search. */
import type { Recall, RecordInput } from 'scrubjay'
import { titleKey } from '../shared/title-first.ts'
import { comingBack, type Rhythm, recordOf } from './model/note.ts'

interface FirstNote {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly rhythm: Rhythm
}

/** Writes them only into a store without any write. */
export async function writeFirstNotes(recall: Recall): Promise<void> {
  if ((await recall.status()).revision > 0) return
  const nowMs = Date.now()
  const ids = new Map(firstNotes.map(({ id, title }) => [titleKey(title), id]))
  await recall.put(
    firstNotes.map((note, place): RecordInput => {
      // Old enough to come back today; listed in the order below.
      const writtenMs = nowMs - 4 * msPerDay - place * msPerMinute
      return {
        id: note.id,
        kind: 'note',
        source: 'manual',
        ...recordOf(note, (title) => ids.get(titleKey(title))),
        ...comingBack(note.rhythm, nowMs),
        createdAt: writtenMs,
        updatedAt: writtenMs,
      }
    }),
  )
}

const msPerMinute = 60_000
const msPerDay = 86_400_000

const firstNotes: readonly FirstNote[] = [
  {
    id: 'first:welcome',
    title: 'Welcome',
    body: `These notes live in this browser and nowhere else. They need neither account nor server.

- Press **New note** and write. It is saved as you type, and the line below the text says whether it is.
- Press \`/\` and search: [[Find without the right word]].
- Some notes come back by themselves: [[What comes back]].
- A note leads to others: [[Tags and links]].

Delete these when you no longer need them. #start`,
    rhythm: 'never',
  },
  {
    id: 'first:search',
    title: 'Find without the right word',
    body: `Type and the list follows. It looks for words, also half a word, and for the meaning: ask about a bicycle or a loaf in other words than the note has, and it still comes up.

When nothing here answers a question, it says so instead of showing the least bad note. **Why** under a result shows what its place is made of.

Keys: Ctrl+K (on a Mac ⌘K) opens a note or runs a command, \`/\` goes to the search, the arrows walk the results, Enter opens one, Escape clears. #start`,
    rhythm: 'never',
  },
  {
    id: 'first:back',
    title: 'What comes back',
    body: `A note that is never seen again is lost. So a note can come back every week, month or quarter: choose it below the text, and the note waits under **To review**.

Give your answer:

- **Keep showing**: it was useful, so it comes more strongly next time.
- **Done for now**: fine, until its next turn.
- **Show less**: it comes back more weakly, and after a few of these only rarely.

#start`,
    rhythm: 'week',
  },
  {
    id: 'first:links',
    title: 'Tags and links',
    body: `Put a \`#\` before a word anywhere in the text and it is a tag: the row of tags under the search narrows the list.

Put a title in double brackets, as in [[Sourdough, the short way]], and it is a link. If the note does not exist yet, following the link begins it: [[Things to lend out]].

Next to the text are the notes that link here, and related notes without a link. #start`,
    rhythm: 'never',
  },
  {
    id: 'first:keep',
    title: 'No network, many tabs, a copy of your own',
    body: `After the first visit this opens without a network, and your browser can install it as an app.

Open it in as many tabs as you like: a change in one shows in the others at once.

**Import** takes a folder of Markdown: a file becomes a note, and the same file read again updates it. **Export** gives one file, including what the app has learned, or all notes as Markdown. Browsers may clear what a site keeps, so take a copy now and then. #start`,
    rhythm: 'month',
  },
  {
    id: 'first:bread',
    title: 'Sourdough, the short way',
    body: `Evening: 100 g starter, 350 g water, 500 g flour, stir, wait half an hour, 10 g salt, fold twice.

Night: in the fridge.

Morning: shape it, let it rise two hours, bake 45 minutes at 240 °C, the first 20 under a lid. #kitchen`,
    rhythm: 'never',
  },
  {
    id: 'first:bicycle',
    title: 'Bicycle: slow puncture at the back',
    body: `Loses air over two days. Nothing stuck in the rubber. Hold the tube under water and look for bubbles, then check the valve before patching anything.

Spare tube: 28 inch, the narrow valve. #repair`,
    rhythm: 'week',
  },
  {
    id: 'first:boiler',
    title: 'Heating: what the technician said',
    body: `Pressure should be between 1.2 and 1.8 bar when cold. Below that, top up slowly through the tap under the gauge, and bleed the radiator in the bathroom first.

If it drops again within a month, the expansion vessel is due. #repair #home`,
    rhythm: 'month',
  },
]
