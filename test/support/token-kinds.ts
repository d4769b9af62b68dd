/**
 * Makes texts of the kinds that contexts carry besides prose and code, from a seed: random, repeated, encoded or
 * written in one case. About 600 characters each.
 */
import { createRandom, type Random } from './data/random.ts'

const small = 'abcdefghijklmnopqrstuvwxyz'
const capital = small.toUpperCase()
const digit = '0123456789'
const sign = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const words = (
  'able account after autumn basket before bridge button cache carry cellar change circle clean cloud coffee color count ' +
  'create daily delete detail dinner display early editor empty engine error event family figure filter folder forest ' +
  'format garden global group handle harvest header height history image import index input kitchen label language last ' +
  'layer letter level light limit list local margin market memory message middle model morning narrow number object ' +
  'offset open option order output owner panel parent people picture player point position press print quick random ' +
  'range reader record region remove report request result river sample school screen search season second select ' +
  'server shadow silver simple source spring stage state station string style summer switch table target thread ticket ' +
  'title total travel update user value version village wait water weather width window winter worker yellow'
).split(' ')
const thai = [
  'การค้นหาข้อมูลในเบราว์เซอร์ทำได้อย่างรวดเร็วและไม่ต้องใช้อินเทอร์เน็ต',
  'ประเทศไทยมีประชากรประมาณเจ็ดสิบล้านคนและกรุงเทพมหานครเป็นเมืองหลวง',
  'วันนี้อากาศดีมาก เราจะไปเดินเล่นที่สวนสาธารณะหลังเลิกงาน',
  'โปรดอย่าลืมส่งรายงานการประชุมให้ฝ่ายบัญชีภายในวันศุกร์',
]

type Make = (random: Random) => string

const of =
  (characters: string, length: number): Make =>
  ({ pick }) =>
    times(length, () => pick([...characters])).join('')

const listOf =
  (count: number, make: Make, between = ' '): Make =>
  (random) =>
    times(count, () => make(random)).join(between)

const bytes = (length: number, { below }: Random) => Uint8Array.from({ length }, () => below(256))
const base64 = (length: number, random: Random) => btoa(String.fromCharCode(...bytes(length, random)))
const base64url = (length: number, random: Random) =>
  base64(length, random).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const hex = (length: number, random: Random) =>
  [...bytes(length, random)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const word: Make = ({ pick }) => pick(words)

/** Each within 15 % of cl100k, sample by sample. */
export const tokenKinds: Readonly<Record<string, Make>> = {
  base64: (random) => base64(450, random),
  'base64 in lines': (random) => base64(450, random).replaceAll(/.{76}/g, '$&\n'),
  base64url: (random) => base64url(450, random),
  'JSON web token': (random) =>
    [JSON.stringify({ alg: 'HS256', typ: 'JWT' }), JSON.stringify({ sub: word(random), iat: random.below(1e9) })]
      .map((part) => btoa(part).replaceAll('=', ''))
      .concat(base64url(256, random))
      .join('.'),
  hex: (random) => hex(300, random),
  UUIDs: listOf(16, (random) => hex(16, random).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), '\n'),
  keys: listOf(12, (random) => `SERVICE_KEY_${random.below(9)}=${of(small + capital + digit, 40)(random)}`, '\n'),
  'keys of small letters and digits': of(small + digit, 600),
  'passwords of every sign': listOf(
    40,
    (random) => of(small + capital + digit + sign, 8 + random.below(12))(random),
    '\n',
  ),
  'random letters': of(small, 600),
  'random capitals': of(capital, 600),
  'random letters of both cases': of(small + capital, 600),
  'random words': listOf(100, (random) => of(small, 2 + random.below(9))(random)),
  'random words of few letters': listOf(150, (random) => of(small, 2 + random.below(4))(random)),
  'Random Words': listOf(90, (random) => capitalised(of(small, 3 + random.below(8))(random))),
  DNA: of('ACGT', 600),
  'URLs with identifiers': listOf(
    10,
    ({ below }) =>
      `https://example.com/${below(1e9).toString(36)}/path?id=${below(1e9)}&ref=${below(1e12).toString(36)}`,
    '\n',
  ),
  'URLs with a query': listOf(
    6,
    (random) =>
      `https://www.shop.example.org/${word(random)}/${word(random)}-${word(random)}?utm_source=mail&sid=${hex(8, random)}`,
  ),
  'URLs in words': listOf(
    9,
    (random) => `https://blog.example.net/2024/05/${word(random)}-${word(random)}-${word(random)}.html#${word(random)}`,
    '\n',
  ),
  Thai: listOf(9, ({ pick }) => pick(thai)),
  'one small letter': (random) => random.pick([...small]).repeat(200 + random.below(700)),
  'one capital': (random) => random.pick([...capital]).repeat(200 + random.below(700)),
  'one digit': (random) => random.pick([...digit]).repeat(200 + random.below(700)),
  'one sign': (random) => random.pick([...sign]).repeat(300 + random.below(600)),
  // cl100k makes one token of two ä: a run of them is estimated at twice its count.
  'one letter with an accent': (random) => random.pick([...'éèüöçñяж']).repeat(200 + random.below(500)),
  'words of one letter': listOf(40, (random) => random.pick([...(small + capital)]).repeat(4 + random.below(20))),
  newlines: ({ below }) => '\n'.repeat(300 + below(600)),
  'newlines of Windows': ({ below }) => '\r\n'.repeat(100 + below(350)),
  tabs: ({ below }) => '\t'.repeat(300 + below(600)),
  spaces: ({ below }) => `${' '.repeat(400 + below(500))}x`,
  'lines of spaces': listOf(50, ({ below }) => ' '.repeat(below(30)), '\n'),
  zalgo: (random) =>
    times(
      120,
      () => word(random).charAt(0) + String.fromCharCode(...times(random.below(6), () => 0x300 + random.below(0x70))),
    ).join(''),
  'combining marks': (random) => String.fromCharCode(...times(300, () => 0x300 + random.below(0x70))),
  camelCase: listOf(45, (random) => word(random) + capitalised(word(random)) + capitalised(word(random))),
  snake_case: listOf(45, (random) => `${word(random)}_${word(random)}_id`),
  'minified CSS': listOf(
    14,
    (random) =>
      `.${word(random)}-${word(random)}{margin:${random.below(99)}px;color:#${hex(3, random)};display:flex;opacity:.${random.below(9)}}`,
    '',
  ),
  emoji: (random) => times(150, () => String.fromCodePoint(0x1f600 + random.below(60))).join(''),
}

/** The `count` samples of each kind from a seed. */
export function tokenSamples(seed: number, count: number): { kind: string; text: string }[] {
  const random = createRandom(seed)
  return Object.entries(tokenKinds).flatMap(([kind, make]) => times(count, () => ({ kind, text: make(random) })))
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}
