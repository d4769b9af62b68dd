/** The readers in the order in which a file is tried: those of an app before the general ones. */
import { chatgpt } from './chats/chatgpt.ts'
import { claudeCode } from './chats/claude-code.ts'
import { claude } from './chats/claude.ts'
import { aiStudio, gemini } from './chats/gemini.ts'
import { eml, mbox } from './mail/mail.ts'
import { langgraph } from './memories/langgraph.ts'
import { mcpMemory } from './memories/mcp-memory.ts'
import { mem0 } from './memories/mem0.ts'
import { evernote } from './apps/evernote.ts'
import { htmlPage } from './notes/html-page.ts'
import { keep, keepPage } from './apps/keep.ts'
import { markdown } from './notes/markdown.ts'
import { pdf } from './notes/pdf.ts'
import { plainText } from './notes/plain-text.ts'
import type { Reader } from './reading/reader.ts'
import { csv, jsonLines, jsonList } from './tables/tables.ts'
import { bookmarks } from './web/bookmarks.ts'
import { history } from './web/history.ts'

const ofText: readonly Reader[] = [markdown, bookmarks, evernote, keepPage, htmlPage, mbox, eml]
const ofJson: readonly Reader[] = [
  claudeCode,
  chatgpt,
  claude,
  gemini,
  keep,
  aiStudio,
  mcpMemory,
  langgraph,
  mem0,
  history,
  jsonLines,
  jsonList,
]

export const readers: readonly Reader[] = [pdf, ...ofText, ...ofJson, csv, plainText]
