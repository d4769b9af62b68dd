/** Tests which words are words of English: those that people ask for, in every regular form, and no misspelling. */
import { expect, test } from 'vitest'
import { areOfOneFamily, basesOf, isKnownWord } from '../../../src/core/query/known-words.ts'
import { knownWordsTable } from '../../../src/core/query/known-words-table.ts'
import { packKnownWords } from '../../support/texts/pack-known-words.ts'

const frequent =
  'bike theft food cost live most password passport tape type must coat fold bake sourdough dentist plumber chimney garden winter invoice rent lease mortgage train flight hotel ticket doctor school teacher birthday wedding salary holiday recipe allergy charger laptop router printer kitchen bathroom window bicycle tires tyres engine insurance contract meeting deadline project budget report server database deploy release branch commit error login account'.split(
    ' ',
  )

/** Misspellings that people make. */
const misspellings =
  'recieve seperate definately goverment adress beleive untill calender neccessary enviroment tommorow becuase wich thier accomodate acheive agressive apparant arguement basicly begining buisness catagory cemetary collegue comming commitee concious curiousity definatly dissapear embarass existance familar finaly foriegn freind gaurd happend harrass immediatly independant intresting knowlege liason lisence maintainance millenium mispell noticable occassion paralel posession prefered priviledge publically recomend refered religous remeber rythm sieze similiar sucess suprise tendancy thorougly truely vaccum visable wierd wether passwrd scedule databse invoce contrat metting vacum'.split(
    ' ',
  )

test('words that people ask for are known, in their regular forms, too', () => {
  expect(frequent.filter((word) => !isKnownWord(word))).toEqual([])
  expect(
    ['recipes', 'boxes', 'allergies', 'baked', 'baking', 'tried', 'weekly'].filter((word) => !isKnownWord(word)),
  ).toEqual([])
})

test('control: misspellings are not known, but for those that have the stem of the right word', () => {
  expect(misspellings.filter(isKnownWord)).toEqual(['begining', 'prefered', 'refered'])
})

test('short words, and words with other letters, are never known', () => {
  expect(['cat', 'über', 'fr1day', 'naïve', ''].filter(isKnownWord)).toEqual([])
})

test.each([
  ['tyres', 'tires', true],
  ['colour', 'color', true],
  ['organised', 'organized', true],
  ['centre', 'center', true],
  ['travelled', 'traveled', true],
  ['allergic', 'allergy', true],
  ['quarterly', 'quarter', true],
  ['bike', 'bake', false],
  ['convert', 'concert', false],
  ['route', 'router', false],
  ['ready', 'read', false],
])('%s and %s are of one family: %s', (first, second, expected) => {
  expect(areOfOneFamily(first, second)).toBe(expected)
  expect(areOfOneFamily(second, first)).toBe(expected)
})

test('a regular form names the words that it may be of', () => {
  expect(basesOf('boxes')).toEqual(['box', 'boxe'])
  expect(basesOf('tires')).toEqual(['tire'])
  expect(basesOf('glass')).toEqual([])
})

test('the table is that of the vocabulary', () => {
  expect(knownWordsTable).toEqual(packKnownWords())
})
