/**
 * Measures imports in Node with the built package: `npx tsx test/bench/import/measure-import.ts [notes|memory|questions]…`, all without a name.
 * notes: 5,000 notes by `scrubjay import`. memory: a made ChatGPT export of 2 GB is read. questions: a ChatGPT export of 1,000 conversations is
 * stored with the built-in vectors, then 20 questions are asked whose turns are known. All texts are made.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRecall } from '../../../src/index.ts'
import { readExport } from '../../../src/import/index.ts'
import { createRandom } from '../../support/data/random.ts'
import { type KnownTurn, knownTurns, smallTalk } from './known-turns.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'scrubjay-bench-import-'))
const random = createRandom(44)
const words = [
  ...new Set(
    smallTalk
      .join(' ')
      .toLowerCase()
      .match(/\p{L}+/gu),
  ),
]
const textOf = (count: number) => Array.from({ length: count }, () => random.pick(words)).join(' ')
const print = (line: string) => void process.stdout.write(`${line}\n`)

const parts: Readonly<Record<string, () => Promise<void>>> = { notes, memory, questions }
const wanted = process.argv.slice(2)
try {
  for (const name of wanted.length === 0 ? Object.keys(parts) : wanted) await parts[name]!()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function notes(): Promise<void> {
  for (let i = 0; i < 5_000; i++) {
    const path = join(folder, 'notes', `folder ${i % 50}`, `note ${i}.md`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `---\ntags: [t${i % 40}]\n---\n# Note ${i}\n\n${textOf(280)} [[note ${(i * 7) % 5_000}]]\n`)
  }
  const args = ['import', join(folder, 'notes'), '--store', join(folder, 'notes.sqlite'), '--quiet']
  for (const what of ['first import', 'the same again']) {
    const beganMs = performance.now()
    execFileSync(process.execPath, [join(root, 'dist/src/cli/main.js'), ...args], { stdio: 'ignore' })
    print(`5,000 notes, ${what}: ${((performance.now() - beganMs) / 1000).toFixed(1)} s`)
  }
}

/** A process of its own, whose highest memory is that of the reading. */
async function memory(): Promise<void> {
  const path = join(folder, 'conversations.json')
  const file = openSync(path, 'w')
  let size = writeSync(file, '[')
  const texts = Array.from({ length: 200 }, () => textOf(300))
  for (let i = 0; size < 2_000_000_000; i++) {
    const turns = Array.from({ length: 20 }, () => random.pick(texts))
    size += writeSync(file, `${i === 0 ? '' : ','}${JSON.stringify(conversation(`c${i}`, turns))}`)
  }
  writeSync(file, ']')
  closeSync(file)
  const program = `const { readExport } = await import(${JSON.stringify(join(root, 'dist/src/import/index.js'))})
const records = readExport(${JSON.stringify(path)})
for await (const record of records);
console.log(records.report.records + ' records, ' + records.report.left + ' left out, highest memory ' + Math.round(process.resourceUsage().maxRSS / 1024) + ' MiB')`
  const beganMs = performance.now()
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  print(
    `ChatGPT export of ${size} bytes: ${stdout.trim()}${stderr} in ${((performance.now() - beganMs) / 1000).toFixed(1)} s`,
  )
}

async function questions(): Promise<void> {
  const conversations = Array.from({ length: 1_000 }, (_, i) => {
    const known = i % 50 === 7 ? knownTurns[(i - 7) / 50] : undefined
    const turns = Array.from({ length: 8 }, () => random.pick(smallTalk))
    if (known !== undefined) turns[4] = known.turn
    return conversation(`c${i}`, turns)
  })
  const recall = await openRecall({ path: join(folder, 'chats.sqlite') })
  const beganMs = performance.now()
  let batch = []
  for await (const record of readExport({ name: 'conversations.json', text: JSON.stringify(conversations) })) {
    batch.push(record)
    if (batch.length === 500) await recall.put(batch.splice(0))
  }
  await recall.put(batch)
  print(`1,000 conversations of 8 turns: stored in ${((performance.now() - beganMs) / 1000).toFixed(1)} s`)
  const placeOf = async ({ question }: KnownTurn, i: number) => {
    const { hits } = await recall.recall({ text: question, limit: 10 })
    return hits.findIndex(({ id }) => id === `chatgpt:c${i * 50 + 7}/m4`) + 1
  }
  const places: number[] = []
  for (const [i, known] of knownTurns.entries()) places.push(await placeOf(known, i))
  const first = places.filter((place) => place >= 1 && place <= 3).length
  print(`right turn in the first three: ${first} of ${places.length}; places ${places.join(' ')} (0: not in ten)`)
  await recall.close()
}

function conversation(id: string, turns: readonly string[]) {
  const mapping = Object.fromEntries(
    turns.map((text, i) => [
      `m${i}`,
      {
        id: `m${i}`,
        message: {
          author: { role: i % 2 === 0 ? 'user' : 'assistant' },
          create_time: 1_700_000_000 + i,
          content: { content_type: 'text', parts: [text] },
        },
        parent: i === 0 ? null : `m${i - 1}`,
        children: i + 1 < turns.length ? [`m${i + 1}`] : [],
      },
    ]),
  )
  return { title: `Chat ${id}`, conversation_id: id, current_node: `m${turns.length - 1}`, mapping }
}
