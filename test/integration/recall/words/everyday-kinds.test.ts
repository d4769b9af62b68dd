/** Checks kinds of everyday notes: digits of other scripts, sizes, fractions, abbreviations with dots, articles, codes by their beginning, a star. */
import { beforeAll, describe, expect, test } from 'vitest'
import { withArticles } from '../../../../worker/retrieval/words/other-spellings.ts'
import { openEngine, type TestEngine } from '../../../support/stores/open-engine.ts'

interface Kind {
  readonly notes: Readonly<Record<string, string>>
  /** Each question with the note that comes first; null: evidence is none. */
  readonly asked: readonly (readonly [text: string, first: string | null])[]
}

const kinds: Readonly<Record<string, Kind>> = {
  'digits of other scripts': {
    notes: {
      arabic: 'رقم الغرفة ٣٠٧ في الفندق',
      hindi: 'कमरा नंबर २०४ दूसरी मंज़िल',
      persian: 'کد تخفیف ۱۲۳۴ تا جمعه',
      bengali: 'বাস নম্বর ৪৫ সকালে',
      thai: 'ห้อง๕๐๑ตึกใหม่',
      khmer: 'បន្ទប់ ៦៦៨',
    },
    asked: [
      ['307', 'arabic'],
      ['٣٠٧', 'arabic'],
      ['غرفة 307', 'arabic'],
      ['204', 'hindi'],
      ['١٢٣٤', 'persian'],
      ['45', 'bengali'],
      ['501', 'thai'],
      ['668', 'khmer'],
      ['999', null],
    ],
  },
  'sizes, fractions, amounts, a minus and percents': {
    notes: {
      rice: 'Bought 2½ kg of basmati rice and a bag of flour for the party on the roof of the old school',
      frost: 'Tonight we will have −5 °C, so cover the lemon tree and the roses in front of the house',
      fever: 'Fever of 38.5 °C',
      bag: 'The bag for the cabin may have 55x40x20 cm and eight kilos, the other one has no limit at all',
      room: 'Room 3.20 x 4.10 m',
      paid: 'Paid 1.250,00 EUR to the carpenter',
      off: 'There is 20% off until Sunday for all who bring the card and ask for it at the till',
      till: 'Till short by 5.20, 20 coins',
    },
    asked: [
      ['2.5 kg of rice', 'rice'],
      ['2 1/2 kg rice', 'rice'],
      ['-5 °C', 'frost'],
      ['−5°C', 'frost'],
      ['55 x 40 x 20', 'bag'],
      ['55 × 40 × 20 cm', 'bag'],
      ['3,20x4,10', 'room'],
      ['1250', 'paid'],
      ['1250 eur', 'paid'],
      ['20 %', 'off'],
    ],
  },
  'abbreviations with dots': {
    notes: {
      usa: 'Visa for the U.S.A. trip',
      phd: 'Nadia starts her Ph.D. in Lund',
      att: 'AT&T bill is due',
      names: 'Section u s b of the list',
      tea: "The tea's too hot",
    },
    asked: [
      ['USA', 'usa'],
      ['usa visa', 'usa'],
      ['phd', 'phd'],
      ['att', 'att'],
      ['usb', null],
    ],
  },
  'articles of Arabic and Hebrew, which are written in front of a word': {
    notes: {
      doctor: 'الموعد يوم الأحد مع الطبيب',
      book: 'كتاب عن الطبخ',
      house: 'המפתח בבית של סבתא',
      child: 'ילד משחק בגן',
    },
    asked: [
      ['طبيب', 'doctor'],
      ['الكتاب', 'book'],
      ['والكتاب', 'book'],
      ['מפתח', 'house'],
      ['בית', 'house'],
      ['הילד', 'child'],
      ['גן', 'child'],
      ['ספר', null],
    ],
  },
  'codes and long words by their beginning': {
    notes: {
      hash: 'bad commit is 9f3c2e1ab77d, revert it',
      parcel: 'Parcel 1Z999AA10123456784 at the neighbour',
      error: 'Update failed with 0x80070005',
      vat: 'VAT no. NL853746333B01',
      fridge: 'Kühlschrankdichtung bestellen',
      evening: 'Der Großelternabend fällt aus',
      swedish: 'Spårvagnskortet är borta',
    },
    asked: [
      ['9f3c', 'hash'],
      ['1z999aa1', 'parcel'],
      ['80070005', 'error'],
      ['nl 853746333 b01', 'vat'],
      ['Kühlschrank', 'fridge'],
      ['grosseltern', 'evening'],
      ['Kühlsc', 'fridge'],
      ['Kühls', null],
      ['spårvagn', 'swedish'],
      ['9f3d', null],
      ['beginning', null],
    ],
  },
  'a star ends the beginning of a word': {
    notes: { tap: 'Kitchen tap drips', lib: 'Biblioteka zamknięta', file: 'exclude *.spec.ts and src/**' },
    asked: [
      ['kitch*', 'tap'],
      ['(bib*) zamk*', 'lib'],
      ['src/**', 'file'],
      ['*.spec.ts', 'file'],
      ['zzq*', null],
    ],
  },
}

describe.each(Object.entries(kinds))('%s', (_, { notes, asked }) => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await openEngine()
    await engine.call('put', { batch: Object.entries(notes).map(([id, body]) => ({ id, body })) })
  })

  test.each(asked)('%s', async (text, first) => {
    const { hits, evidence } = await engine.call('recall', { query: { text } })
    expect(evidence.strength === 'none' ? null : hits[0]?.id).toBe(first)
  })
})

test('a beginning with a star lists its words; of two corrections, letters in another order come first', async () => {
  const { call } = await openEngine()
  const notes = ['Kitchen tap drips', 'Kitchen paint: sage green', 'Piano lesson moved', 'Bread starter']
  await call('put', { batch: notes.map((body) => ({ id: body, body })) })
  const listed = await call('list', { filter: { text: 'kitch*' } })
  expect(listed.items.map(({ id }) => id).sort()).toEqual(['Kitchen paint: sage green', 'Kitchen tap drips'])
  expect((await call('recall', { query: { text: 'paino' } })).hits[0]?.id).toBe('Piano lesson moved')
})

test('of a short Arabic word, the first letter is a letter of the word and no article', () => {
  expect(withArticles('ولد')).toContain('الولد')
  expect(withArticles('ولد')).not.toContain('لد')
  expect(withArticles('والكتاب')).toContain('كتاب')
})
