/** Checks that records are found as people write: letters, scripts, signs, numbers, names and options. */
import { describe, expect, test } from 'vitest'
import type { RecordInput } from '../../../../src/core/model/record.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const cases: Readonly<
  Record<
    string,
    { records: Readonly<Record<string, string>>; asked: readonly (readonly [text: string, first: string])[] }
  >
> = {
  'a version is one name': {
    records: {
      right: 'Version 10.4.0 of Node.js is coming, which fixes an issue of async hooks and of the timers',
      wrong: '4 of 10: 0 open',
      other: 'Node.js 4.10.0 is out',
    },
    asked: [
      ['10.4.0', 'right'],
      ['Node.js 10.4.0', 'right'],
      ['v10.4.0', 'right'],
      ['what is new in 4.10.0?', 'other'],
    ],
  },
  'a version with and without v': {
    records: { v: 'Released v10.4.0 today', n: 'Released 10.4.1 today' },
    asked: [
      ['v10.4.1', 'n'],
      ['10.4.0', 'v'],
    ],
  },
  'an address is one name': {
    records: {
      right: 'the second name server of Google that we entered on the router is 8.8.4.4 since Monday',
      wrong: '8.8.8.8 and 4.4.4.4',
      long: 'Nexion ERP 14.2.1.0, release of May',
      short: 'Nexion 0.1.2.14',
    },
    asked: [
      ['8.8.4.4', 'right'],
      ['14.2.1.0', 'long'],
      ['Nexion 14.2.1.0', 'long'],
    ],
  },
  'a number is more than its parts, in order and repeated': {
    records: {
      version: 'the release that we had to install on all machines is 10.4.0',
      parts: '10, 4, 0',
      twice: 'release 10 4 0 10 4 0 release',
      address: 'the server behind the router has 14.2.1.0',
      other: 'server 14 2 1 0, server 14-2-1-0',
      time: 'we meet all of them at the station at 14:30',
      numbers: '14 30 14 30 station',
    },
    asked: [
      ['10.4.0', 'version'],
      ['release 10.4.0', 'version'],
      ['14.2.1.0', 'address'],
      ['server 14.2.1.0', 'address'],
      ['14:30', 'time'],
    ],
  },
  'a path, a package and a URL are names': {
    records: {
      right: 'please run sudo /usr/sbin/arp and paste what it prints, then we will see which card it is',
      wrong: 'arp /usr/sbin',
      pad: 'the package left-pad was removed from the registry',
      padWrong: 'a pad on the left side, and a second pad',
      url: 'see https://paste.example.com/25095575/ for the log',
      urlWrong: 'paste.example.com example paste',
    },
    asked: [
      ['/usr/sbin/arp', 'right'],
      ['left-pad', 'pad'],
      ['https://paste.example.com/25095575/', 'url'],
      ['paste.example.com/25095575', 'url'],
    ],
  },
  'options are looked for': {
    records: {
      acpi: 'try acpi -i',
      acpi2: 'the acpi daemon is off',
      rm: 'never run rm -rf on the root folder',
      rm2: 'rm removes files',
      git: 'git commit -m "message" writes a commit',
      git2: 'git commit opens an editor',
      tar: 'unpack with tar -xzf a.tar',
      tar2: 'tar a.tar',
    },
    asked: [
      ['acpi -i', 'acpi'],
      ['rm -rf', 'rm'],
      ['what does rm -rf do?', 'rm'],
      ['git commit -m', 'git'],
      ['tar -xzf', 'tar'],
    ],
  },
  'letters of Chinese and Japanese, the last one too': {
    records: { a: '今日は大雨', b: '犬と猫', c: '東京都', d: '天气很好' },
    asked: [
      ['雨', 'a'],
      ['猫', 'b'],
      ['都', 'c'],
      ['好', 'd'],
      ['大', 'a'],
    ],
  },
  'scripts without spaces': {
    records: { a: 'ខ្ញុំចូលចិត្តបាយ', b: 'ພາສາລາວ', c: 'ထမင်းစားပြီးပြီ', d: 'ꦧꦱꦗꦮ', e: 'བོད་ཡིག' },
    asked: [
      ['បាយ', 'a'],
      ['ລາວ', 'b'],
      ['စား', 'c'],
      ['ꦗꦮ', 'd'],
      ['བོད', 'e'],
    ],
  },
  'compatible letters in records': {
    records: { a: 'oﬃce ﬁle', b: 'ＡＢＣ　ｔｅｓｔ１２３', c: 'ﾊﾞｶ', d: 'H₂O water, 10 m²', e: 'Kapitel Ⅷ' },
    asked: [
      ['office', 'a'],
      ['file', 'a'],
      ['ABC', 'b'],
      ['test123', 'b'],
      ['バカ', 'c'],
      ['H2O', 'd'],
      ['m2', 'd'],
      ['VIII', 'e'],
    ],
  },
  'compatible letters in questions': {
    records: { a: 'office file', b: 'ABC test123', c: 'バカ', d: 'H2O water, 10 m2' },
    asked: [
      ['oﬃce', 'a'],
      ['ＡＢＣ', 'b'],
      ['ﾊﾞｶ', 'c'],
      ['H₂O', 'd'],
      ['m²', 'd'],
    ],
  },
  'signs that name things': {
    records: {
      b: '🎵',
      c: 'skills: c++ and templates',
      d: 'skills: c# and linq',
      e: 'a C-section story',
      f: '#1',
      g: '1',
      h: 'ask @anna about it',
      i: 'anna went home',
      j: '.net core',
      k: 'net income rose',
      l: 'thumbs 👍🏽 up',
    },
    asked: [
      ['🎵', 'b'],
      ['c++', 'c'],
      ['c#', 'd'],
      ['#1', 'f'],
      ['@anna', 'h'],
      ['.net', 'j'],
      ['👍', 'l'],
      ['👍🏿', 'l'],
    ],
  },
  'numbers in other forms': {
    records: {
      a: 'costs 1,299.99 in total',
      b: 'costs 1,300.99 in total',
      c: 'call +49 170 1234567',
      d: 'call +49 170 1234568',
      e: 'train at 14:30',
      f: 'train at 14:45',
      g: 'salary 5k a month',
      h: 'salary 6k a month',
    },
    asked: [
      ['1 299,99', 'a'],
      ['1299.99', 'a'],
      ['+491701234567', 'c'],
      ['0170 1234568', 'd'],
      ['2:30 pm', 'e'],
      ['14:30', 'e'],
      ['5000', 'g'],
      ['5,000', 'g'],
      ['6k', 'h'],
    ],
  },
  'irregular forms': {
    records: {
      a: 'We ate at the Thai place.',
      b: 'The children saw a fox.',
      c: 'He drove to Lyon by night.',
      d: 'Three mice in the cellar',
      e: 'Lunch at noon at the lake',
      f: 'The geese flew south',
      g: 'A plane flies north',
      h: 'Anna tries pottery',
      i: 'Two viruses on the laptop',
      j: 'He lies on the sofa',
      k: 'The roses are dying',
    },
    asked: [
      ['where did we eat?', 'a'],
      ['what did the child see?', 'b'],
      ['where did he drive?', 'c'],
      ['mouse', 'd'],
      ['when do they fly?', 'g'],
      ['try', 'h'],
      ['virus', 'i'],
      ['lie', 'j'],
      ['dies', 'k'],
    ],
  },
}

describe.each(Object.entries(cases))('%s', (_, { records, asked }) => {
  test('each question has the right record first', async () => {
    const { call } = await openEngine()
    const batch: RecordInput[] = Object.entries(records).map(([id, body]) => ({ id, body }))
    await call('put', { batch })
    const found = []
    for (const [text] of asked) {
      const { hits, evidence } = await call('recall', { query: { text } })
      found.push([text, evidence.strength === 'none' ? 'none' : hits[0]?.id])
    }
    expect(found).toEqual(asked)
    expect(await call('integrityCheck', {})).toMatchObject({ ok: true })
  })
})

test('marks are on the written text, of one letter where one was asked', async () => {
  const { call } = await openEngine()
  await call('put', {
    batch: [
      { id: 'a', body: '雨が降る' },
      { id: 'b', body: 'an oﬃce' },
      { id: 'c', body: 'with c++ today' },
    ],
  })
  const marked = async (text: string) => (await call('recall', { query: { text } })).hits[0]!.snippet
  expect(await marked('雨')).toEqual({ text: '雨が降る', marks: [[0, 1]] })
  expect(await marked('office')).toEqual({ text: 'an oﬃce', marks: [[3, 7]] })
  expect(await marked('c++')).toEqual({ text: 'with c++ today', marks: [[5, 8]] })
})

test('a version that no record has gives no strong evidence, and a list has only the records with the option', async () => {
  const { call } = await openEngine()
  await call('put', {
    batch: [
      { id: 'a', body: '10 of 4: 9 open' },
      { id: 'b', body: 'rm -rf' },
      { id: 'c', body: 'rm rf' },
    ],
  })
  expect((await call('recall', { query: { text: '10.4.9' } })).evidence.strength).not.toBe('strong')
  expect((await call('list', { filter: { text: 'rm -rf' } })).items.map(({ id }) => id)).toEqual(['b'])
})
