/** Tests which languages the demos give to a store. */
import { expect, test } from 'vitest'
import { languagesOf } from '../../../demo/shared/store/user-languages.ts'

test.each([
  [['en-US', 'en'], {}],
  [['de-DE', 'de', 'en-US', 'en'], { languages: ['de', 'en'] }],
  [['fr'], { languages: ['fr', 'en'] }],
  [['nb-NO', 'sv'], { languages: ['no', 'sv', 'en'] }],
  [['xx', 'zh-Hant-TW'], { languages: ['zh', 'en'] }],
  [[], {}],
])('of a browser in %j: %j', (tags, expected) => {
  expect(languagesOf(tags)).toEqual(expected)
})
