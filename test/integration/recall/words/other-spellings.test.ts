/** Tests that words and numbers are found in another spelling than the text has: without gaps, hyphens or umlauts, and with them. */
import { describe, expect, test } from 'vitest'
import { staticEmbedder } from '../../../../src/embedders/index.ts'
import { groupsOf } from '../../../../src/core/text/tokenise/number-groups.ts'
import { openEngine } from '../../../support/stores/open-engine.ts'

const embedder = staticEmbedder()
const hybrid = { space: { name: embedder.space, dimensions: embedder.dimensions } }

const others = [
  'Call the plumber about the tap in the bathroom',
  'Lunch with Priya at the noodle bar',
  'Renew the passport before the summer',
  'The garden needs water twice a week',
  'A third of the books is due on Monday at 5',
]

async function opened(bodies: readonly string[], embedding = false) {
  const { call } = await openEngine(
    embedding ? hybrid : {},
    embedding ? { embed: (texts, role) => embedder.embed(texts, role) } : null,
  )
  await call('put', { batch: [...bodies, ...others].map((body) => ({ id: body, body })) })
  return {
    first: async (text: string, more: object = {}) => {
      const { hits, evidence } = await call('recall', { query: { text, ...more } })
      return evidence.strength === 'none' ? null : hits[0]?.id
    },
    listed: async (text: string, more: object = {}) =>
      (await call('list', { filter: { text, ...more } })).items.map(({ id }) => id).sort(),
    ask: (text: string) => call('recall', { query: { text } }),
  }
}

const spellings: readonly (readonly [
  kind: string,
  pairs: readonly (readonly [body: string, texts: readonly string[]])[],
])[] = [
  [
    'letters and digits without a gap',
    [
      ['The tour is 42 km long', ['42km', '42 KM']],
      ['Bake at 180 °C', ['180C', '180c']],
      ['My car is B-XY 482', ['BXY482', 'B XY482', 'b-xy 482']],
      ['The drill GSR 18V-55 is in the cellar', ['gsr18v55', 'GSR18V55']],
      ['Meet at gate 7', ['gate7']],
      ['Upgrade the server to Node 20', ['v20', 'node v20']],
    ],
  ],
  [
    'letters and digits with a gap',
    [
      ['Installed the iOS18 beta', ['ios 18', 'iOS 18']],
      ['The ride was 42km', ['42 km']],
      ['The old machine runs Node v18', ['node 18']],
      ['Order the RTX4090 card', ['rtx 4090']],
    ],
  ],
  [
    'a name with a number behind it',
    [
      ['Reserved the iPhone15', ['iphone']],
      ['The covid19 test was negative', ['covid']],
      ['Python3 is on the laptop', ['python']],
      ['Reverted commit 9f8e7d6c5b4a', ['9f8e7d6', '9f8e7d6c']],
    ],
  ],
  [
    'long numbers in groups',
    [
      ['ISBN 978-3-16-148410-0 arrived', ['9783161484100', '978-3161484100', 'isbn 9783161484100']],
      ['IBAN DE89 3704 0044 0532 0130 00', ['DE89370400440532013000', 'de89370400440532013000']],
      ['Card 4111 1111 1111 1234', ['4111111111111234']],
      ['NAS 00:1A:2B:3C:4D:5E', ['001A2B3C4D5E', '001a2b3c4d5e']],
      ["Bill of 2'450.00 CHF", ['2450']],
      ['The vet has (555) 123-4567', ['5551234567', '555-123-4567', '(555) 123 4567']],
      ['Oma: 030 901820', ['030901820']],
      ['Garage 079 123 45 67', ['0791234567']],
      ['Cabinet 01 23 45 67 89', ['0123456789']],
      ['Hausarzt 0171/1234567', ['01711234567']],
      ['Surgery on 020 7946 0958', ['02079460958']],
      ['Tandarts 06 12345678', ['0612345678']],
      ['Nursery: 07911 123456', ['07911123456']],
      ['Kanzlei 0911 987 6543', ['09119876543']],
      ['Order 550e8400-e29b-41d4-a716-446655440000', ['550e8400e29b41d4a716446655440000']],
    ],
  ],
  [
    'long numbers without gaps',
    [
      ['ISBN 9783161484100 arrived', ['978-3-16-148410-0', '978 3 16 148410 0']],
      ['IBAN DE89370400440532013000', ['DE89 3704 0044 0532 0130 00']],
      ['Card 4111111111111234', ['4111 1111 1111 1234']],
      ['NAS 001A2B3C4D5E', ['00:1A:2B:3C:4D:5E', '00-1a-2b-3c-4d-5e']],
    ],
  ],
  [
    'one letter and a hyphen',
    [
      ['Wear the t-shirt', ['tshirt', 'T-shirt', 't shirt']],
      ['The x-ray is on Friday', ['xray', 'x ray']],
      ['No u-turn on the bridge', ['uturn', 'U-turn']],
      ['A v-neck for Tom', ['vneck']],
    ],
  ],
  [
    'umlauts and their transcriptions',
    [
      ['Müller brings the keys', ['mueller', 'Mueller', 'muller']],
      ['Herr Schroeder called', ['Schröder', 'schroder']],
      ['The trip to Aarhus', ['Århus', 'arhus']],
      ['Die Tür klemmt', ['tuer']],
      ['Kåre sails to Tromsø', ['tromsoe', 'kaare']],
    ],
  ],
  [
    'soft hyphens',
    [
      ['Die Donau\u00addampf\u00adschiff\u00adfahrt', ['Donaudampfschifffahrt']],
      [
        'Bundes\u00adverfassungs\u00adgericht in Karlsruhe',
        ['Bundesverfassungsgericht', 'bundes\u00adverfassungs\u00adgericht'],
      ],
      ['The inter\u00adnational\u00adisation of forms', ['internationalisation']],
      ['Inkomsten\u00adbelasting is due', ['inkomstenbelasting']],
    ],
  ],
]

describe.each(spellings)('%s', (_kind, pairs) => {
  test.each([false, true])('find the record first, with vectors: %s', async (embedding) => {
    const { first, listed } = await opened(
      pairs.map(([body]) => body),
      embedding,
    )
    for (const [body, texts] of pairs)
      for (const text of texts) {
        expect([text, await first(text)]).toEqual([text, body])
        expect([text, await listed(text)]).toEqual([text, [body]])
      }
  })
})

test('control: a word that the store holds is read as it is written', async () => {
  const bodies = ['A bus to Bern', 'v20 of the draft', '20 apples', 'The shirt of the T team', 'A boer farms']
  const { first, listed } = await opened(bodies)
  expect(await first('v20')).toBe('v20 of the draft')
  expect(await first('20')).toBe('20 apples')
  expect(await listed('20')).toEqual(['20 apples'])
  expect(await first('boer')).toBe('A boer farms')
  // Words that only follow each other are not one word.
  expect(await first('tteam', { typos: 'off' })).toBeNull()
  expect(await first('ofthe', { typos: 'off' })).toBeNull()
})

test('control: years have no thousands, and prose has no groups', () => {
  expect(groupsOf('2024')).toEqual(['v2024', '0x2024'])
  expect(groupsOf('2450')).toContain('2 450')
  expect(groupsOf('garden')).toEqual([])
  expect(groupsOf('a1b2c3d4e5f6')).not.toContain('a 1 b 2 c 3 d 4 e 5 f 6')
})

describe('names as they are written', () => {
  const bodies = [
    'run parse-config-file in the tests',
    'the function parse_config_file reads settings',
    'to_node converts the tree',
    'toNode converts the tree',
    'set MAX_RETRY_COUNT to five',
    'set max-retry-count to five',
  ]
  test.each([
    ['parse_config_file', bodies[1]],
    ['parse-config-file', bodies[0]],
    ['to_node', bodies[2]],
    ['toNode', bodies[3]],
    ['MAX_RETRY_COUNT', bodies[4]],
    ['max-retry-count', bodies[5]],
  ])('%s comes first', async (text, body) => {
    for (const embedding of [false, true]) expect(await (await opened(bodies, embedding)).first(text)).toBe(body)
  })
})

describe('stop words that name something', () => {
  const bodies = [
    'To be, or not to be, that is the question',
    'The Nots are on tour, and so are others',
    'The Who played in Leeds on a long night in the winter of that year',
    'She is who we met',
    'Vitamin B12 pills',
    'Vitamin A pills from the shop',
    'Hepatitis A vaccination',
    'Hepatitis B vaccination',
    'The AT&T bill',
    'A/B test of the checkout',
    'Beds and tests',
  ]
  test.each([
    ['to be or not to be', bodies[0]],
    ['To be or not to be?', bodies[0]],
    ['the who', bodies[2]],
    ['vitamin a', bodies[5]],
    ['Vitamin A', bodies[5]],
    ['hepatitis a', bodies[6]],
    ['AT&T', bodies[8]],
    ['at&t', bodies[8]],
    ['A/B', bodies[9]],
    ['a/b test', bodies[9]],
  ])('%s', async (text, body) => {
    expect(await (await opened(bodies)).first(text)).toBe(body)
  })
})

describe('what is still being typed', () => {
  const bodies = [
    'Version 10.4.0 of the engine fixes the timers',
    'Released v10.4.1 today',
    '4 of 10 are open',
    'Tim O’Reilly spoke',
    'Kitchen lamp',
    'The first aid kit is in the car',
    'An e-mail to the bank',
  ]
  test.each([false, true])('has whole numbers and words, with vectors: %s', async (embedding) => {
    const { first, listed } = await opened(bodies, embedding)
    const typed = { prefix: 'last' }
    for (const text of ['v10.4', '10.4', 'v10.4.']) expect(await listed(text, typed)).toEqual([bodies[1], bodies[0]])
    expect(await listed('10.4.1', typed)).toEqual([bodies[1]])
    expect(await first('oreil', typed)).toBe(bodies[3])
    expect(await first('ema', typed)).toBe(bodies[6])
    expect(await first('kit', typed)).toBe(bodies[5])
    expect(await first('kitc', typed)).toBe(bodies[4])
  })
})

test('a record that holds every word of a question, some corrected, is weak evidence with vectors, too', async () => {
  const bodies = ['A good restaurant near the station', 'The anniversary gift', 'The maintenance of the boiler']
  for (const embedding of [false, true]) {
    const { ask } = await opened(bodies, embedding)
    for (const [text, body] of [
      ['where is the restarant?', bodies[0]],
      ['gardn', others[3]],
      ['anniversery', bodies[1]],
      ['maintainance', bodies[2]],
    ]) {
      const { hits, evidence } = await ask(text!)
      expect([text, hits[0]?.id, evidence.strength]).toEqual([text, body, 'weak'])
    }
  }
})

test('spellings of a word follow the records: one put after a question is found by the next one, in each scope', async () => {
  const { call } = await openEngine()
  const firstOf = async (text: string, scope: object) => {
    const { hits, evidence } = await call('recall', { query: { text, scope } })
    return evidence.strength === 'none' ? null : hits[0]?.id
  }
  const tagged = { tags: { all: ['trip'] } }
  await call('put', { batch: others.map((body) => ({ id: body, body, tags: ['trip'] })) })
  for (const scope of [{}, tagged]) expect(await firstOf('quran', scope)).toBe(null)
  await call('put', { batch: [{ id: 'museum', body: "A Qur'an of the tenth century" }] })
  expect([await firstOf('quran', {}), await firstOf('quran', tagged)]).toEqual(['museum', null])
  await call('put', { batch: [{ id: 'museum', body: "A Qur'an of the tenth century", tags: ['trip'] }] })
  for (const scope of [{}, tagged]) expect(await firstOf('quran', scope)).toBe('museum')
  await call('forget', { ids: ['museum'] })
  for (const scope of [{}, tagged]) expect(await firstOf('quran', scope)).toBe(null)
})
