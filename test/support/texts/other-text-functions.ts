/** Functions outside of core that read texts of users and third parties, each as a function of one text. */
import { intentOf } from '../../../demo/agent/intent.ts'
import { readMarkdown } from '../../../demo/notes/files/read-markdown.ts'
import { lineOf, recordOf as noteRecordOf, tagsIn } from '../../../demo/notes/model/note.ts'
import { markdownAsHtml } from '../../../demo/notes/preview.ts'
import { plainHeading } from '../../../demo/shared/plain-heading.ts'
import { titleKey } from '../../../demo/shared/title-first.ts'
import { titleOf } from '../../../demo/shared/title-of.ts'
import { type OfText, recordOf } from './text-functions.ts'

export const otherTextFunctions: Readonly<Record<string, OfText>> = {
  'demo/notes/preview.ts markdownAsHtml': (text) => markdownAsHtml(text, () => '#'),
  'demo/notes/model/note.ts tagsIn': tagsIn,
  'demo/notes/model/note.ts recordOf': (body) => noteRecordOf({ title: body, body, rhythm: 'never' }, () => undefined),
  'demo/notes/model/note.ts lineOf': (text) => lineOf({ ...recordOf(text), cycles: [], updatedAt: 0 }),
  'demo/shared/plain-heading.ts plainHeading': (text) => plainHeading(text),
  'demo/shared/title-first.ts titleKey': titleKey,
  'demo/notes/files/read-markdown.ts readMarkdown': (text) => readMarkdown('a.md', text),
  'demo/shared/title-of.ts titleOf': (text) => titleOf(recordOf(text)),
  'demo/agent/intent.ts intentOf': intentOf,
}
