/** Checks which words with a minus are options of a command, and which exclude. */
import { describe, expect, test } from 'vitest'
import { flagRules } from '../../../src/core/query/flags.ts'
import { readSigns } from '../../../src/core/query/read-signs.ts'

const excluded = (text: string) => readSigns(text).map(({ text: word }) => word)

describe('options of commands exclude nothing', () => {
  test.each(flagRules.flatMap(({ name, examples }) => examples.map((text) => [name, text] as const)))(
    '%s: %s',
    (_, text) => {
      expect(excluded(text)).toEqual(text.includes('"') ? ['*.ts'] : [])
    },
  )

  test.each([
    'rm -rf',
    'ls -l',
    'git commit -m',
    'mount -a',
    'tar -xzf a.tar',
    'acpi -i',
    'grep -r',
    'what does rm -rf do?',
    'chmod -R 755',
    'ssh -i key host',
    'du -sh',
    'ps aux -ef',
    'pip install -e .',
    'npm install -g typescript',
    'curl -X POST',
    'was macht rm -rf?',
    'sudo apt-get install -yq',
    'wie entpacke ich mit tar -xvf',
  ])('%s', (text) => expect(excluded(text)).toEqual([]))
})

describe('words of prose still exclude', () => {
  test.each([
    ['apples -pears', ['pears']],
    ['java -coffee', ['coffee']],
    ['jaguar -car', ['car']],
    ['git -subversion', ['subversion']],
    ['cat food -dog', ['dog']],
    ['top songs -rock', ['rock']],
    ['find restaurants -thai', ['thai']],
    ['make soup -salt', ['salt']],
    ['python -snake', ['snake']],
    ['Rezepte -Nüsse -Pilze', ['Nüsse', 'Pilze']],
    ['vélo -électrique', ['électrique']],
    ['рецепты -грибы', ['грибы']],
    ['-friday', ['friday']],
  ] as const)('%s', (text, words) => expect(excluded(text)).toEqual(words))
})
