/**
 * Measures what a small budget holds of a life in a chat (docs/quality.md): `remember`, then `assemble` with 160 tokens among 300 other
 * turns. Right: the words that decide are there, and not behind the ones that they replaced. `npx tsx test/quality/measures/lives.ts`
 */
import { readFileSync } from 'node:fs'
import { askLives, type Life, ownLives } from '../../support/data/lives.ts'

const data = process.env['SCRUBJAY_EVAL_DATA']
const lives = [...ownLives(), ...(data === undefined ? [] : given(`${data}/lives/lives.jsonl`))]
for (const embedder of ['default', 'none'] as const) {
  const answers = await askLives(lives, { embedder })
  for (const { life, ask, isRight, formatted } of answers)
    if (!isRight)
      console.log(
        `${life}: ${ask.question} (${ask.needs}${ask.stale === null ? '' : `, not ${ask.stale}`})\n${formatted}\n`,
      )
  const right = answers.filter(({ isRight }) => isRight).length
  const named = answers.filter(({ isNamed }) => isNamed).length
  console.log(`embedder ${embedder}: right ${right} of ${answers.length}, speaker and day in all turns in ${named}`)
}

function given(file: string): readonly Life[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Life)
}
