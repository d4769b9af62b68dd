/** Each load of the page is a new conversation. What was said in earlier ones is recalled from the store. */
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai'
import { openRecall } from 'scrubjay'
import { memoryMiddleware, type RecalledMemories } from 'scrubjay/ai-sdk'
import { model, modelName } from './model.ts'
import './style.css'

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!
const form = find<HTMLFormElement>('#ask')
const text = find<HTMLTextAreaElement>('#text')
const turns = find('#turns')

const recall = await openRecall({ name: 'chat' })
let recalled: RecalledMemories | undefined
const memory = memoryMiddleware(recall, {
  session: crypto.randomUUID(),
  onRecall: (memories) => (recalled = memories),
})
const withMemory = wrapLanguageModel({ model, middleware: memory })
const messages: ModelMessage[] = []

find('#model').textContent =
  modelName === 'scripted'
    ? 'No model is connected, so a script answers. The memory is real. The README says how to connect a model.'
    : `Model: ${modelName}. The memory stays in this browser; the model gets what is shown under each answer.`

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send(text.value.trim())
})
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  form.requestSubmit()
})

// Before the store is open, a press would submit the form as a page.
find<HTMLButtonElement>('#ask button').disabled = false

async function send(said: string): Promise<void> {
  const button = find<HTMLButtonElement>('#ask button')
  if (said === '' || button.disabled) return
  button.disabled = true
  addTurn('You', said)
  messages.push({ role: 'user', content: said })
  recalled = undefined
  try {
    const answer = await generateText({ model: withMemory, messages })
    messages.push({ role: 'assistant', content: answer.text })
    text.value = ''
    await showMemories(addTurn('Assistant', answer.text), recalled)
  } catch (error) {
    messages.pop()
    addTurn('Not answered', error instanceof Error ? error.message : String(error))
  } finally {
    button.disabled = false
    text.focus()
  }
}

function addTurn(who: string, said: string): HTMLElement {
  const row = document.createElement('li')
  row.append(element('h2', who), element('p', said))
  turns.append(row)
  row.scrollIntoView({ block: 'nearest' })
  return row
}

/** What the model was given, each with a button that forgets it. */
async function showMemories(row: HTMLElement, given: RecalledMemories | undefined): Promise<void> {
  if (given === undefined || given.ids.length === 0) {
    row.append(element('p', 'Nothing in the memory answers this.', 'soft'))
    return
  }
  row.append(element('p', `From the memory (${given.evidence.strength} evidence):`, 'soft memories'))
  for (const id of given.ids) {
    const record = await recall.get(id)
    const line = element('p', `“${record?.body ?? ''}” `, 'memory')
    const forget = element('button', 'Forget')
    forget.addEventListener('click', async () => {
      await recall.forget(id)
      line.textContent = 'Forgotten.'
    })
    line.append(forget)
    row.append(line)
  }
}

function element(name: string, content: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = content
  made.className = className
  return made
}
