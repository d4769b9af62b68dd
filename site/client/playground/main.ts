/** Starts the playground: each change of question, policy or records is answered at once. The address keeps all three. */
import { make, partById } from '../../../demo/shared/dom.ts'
import { answerView } from './answer.ts'
import { createEditor } from './editor.ts'
import { fromHash, mostLinkLength, type Shared, toHash } from './share.ts'
import { policyNames, policyText, startState } from './start.ts'
import { openPlayground, type PlaygroundStore } from './store.ts'

/** ms without a key press until the texts are read. */
const pauseMs = 150

const question = partById('question', HTMLInputElement)
const startFrom = partById('start-from', HTMLSelectElement)
const share = partById('share', HTMLButtonElement)
const answer = partById('answer')
const live = partById('live')
const policy = createEditor(partById('policy'), 'policy-heading', changedSoon)
const records = createEditor(partById('records'), 'records-heading', changedSoon)

let store: PlaygroundStore | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<void> = Promise.resolve()
let round = 0
let before: readonly string[] | null = null

void start()

async function start(): Promise<void> {
  startFrom.append(
    make('option', { value: '' }, 'Start from …'),
    ...policyNames.map((name) => make('option', { value: name }, name)),
  )
  write(startState)
  await readAddress()
  question.addEventListener('input', changedSoon)
  question.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    changed()
  })
  startFrom.addEventListener('change', () => {
    const name = policyNames.find((one) => one === startFrom.value)
    if (name === undefined) return
    policy.write(policyText(name))
    changed()
  })
  partById('reset').addEventListener('click', () => {
    write(startState)
    changed()
  })
  share.addEventListener('click', () => void copyLink())
  addEventListener('hashchange', () => void readAddress().then(changed))
  try {
    store = await openPlayground()
    changed()
  } catch (error) {
    fail('The engine did not start.', error)
  }
}

function write({ question: text, policy: policyOf, records: recordsOf }: Shared): void {
  question.value = text
  policy.write(policyOf)
  records.write(recordsOf)
}

function read(): Shared {
  return { question: question.value, policy: policy.text(), records: records.text() }
}

async function readAddress(): Promise<void> {
  try {
    const shared = await fromHash(location.hash)
    if (shared !== null) write(shared)
  } catch {
    live.textContent = 'The link is damaged, so the playground starts as usual.'
    partById('reset').before(make('p', { class: 'quiet damaged' }, live.textContent))
  }
}

function changedSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(changed, pauseMs)
}

/** One after another: the store is replaced, then asked. Only the last of waiting changes is carried out. */
function changed(): void {
  clearTimeout(timer)
  // The list keeps its choice, so that the arrow keys reach every policy.
  startFrom.value = policyNames.find((name) => policyText(name) === policy.text()) ?? ''
  const mine = ++round
  running = running.then(async () => {
    if (mine !== round || store === undefined) return
    await answerNow(store)
    await keepInAddress()
  })
}

async function answerNow(open: PlaygroundStore): Promise<void> {
  try {
    const { result, problems, error } = await open.ask(read())
    policy.mark(problems.policy)
    records.mark(problems.records)
    if (error !== null) return fail('The question was not answered.', new Error(error))
    // The previous answer stays until the text is right again.
    answer.classList.toggle('stale', result === null && before !== null)
    if (result === null && before === null)
      answer.replaceChildren(make('p', {}, 'Correct the marked line, and the answer appears.'))
    if (result === null) return
    answer.replaceChildren(...answerView(result, before))
    before = result.hits.map(({ id }) => id)
    live.textContent = answer.querySelector('.verdict')?.textContent ?? ''
  } catch (error) {
    fail('The question was not answered.', error)
  }
}

function fail(sentence: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  answer.classList.remove('stale')
  answer.replaceChildren(make('p', { class: 'notice', role: 'alert' }, `${sentence} ${message}`))
}

async function keepInAddress(): Promise<void> {
  const state = read()
  const isStart = JSON.stringify(state) === JSON.stringify(startState)
  const hash = isStart ? '' : await toHash(state)
  history.replaceState(null, '', hash === '' ? location.pathname : hash)
}

async function copyLink(): Promise<void> {
  const link = new URL(await toHash(read()), location.href).href
  const isLong = link.length > mostLinkLength
  const said = await navigator.clipboard.writeText(link).then(
    () => (isLong ? 'Copied; it is long' : 'Copied'),
    () => 'Copy it from the address bar',
  )
  history.replaceState(null, '', link)
  share.textContent = said
  setTimeout(() => (share.textContent = 'Copy link'), 3000)
}
