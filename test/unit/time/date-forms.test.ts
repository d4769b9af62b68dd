/** Tests the phrases by which a date is also looked for in texts. */
import { describe, expect, test } from 'vitest'
import { dateForms } from '../../../src/core/time/date-forms.ts'

describe('the forms of a date', () => {
  test.each([
    ['3 May 2024', ['3 may 2024', 'may 3 2024', '3 may', 'may 3']],
    ['May 3rd, 2024', ['3 may 2024', 'may 3 2024', '3 may', 'may 3']],
    ['on the 13th of October 2023', ['13 october 2023', 'october 13 2023', '13 october', 'october 13']],
    ['the twenty-first of June 2024', ['21 june 2024', 'june 21 2024', '21 june', 'june 21']],
    ['3 May', ['3 may', 'may 3']],
    ['May 2024', ['may 2024']],
    ['May', ['may']],
    ['2024', ['2024']],
  ])('%s', (text, forms) => {
    expect(dateForms(text)).toEqual(forms)
  })

  test.each([['from 3 May to 5 June 2024'], ['2024-05-03'], ['last week'], ['the 3rd']])('%s has none', (text) => {
    expect(dateForms(text)).toEqual([])
  })
})
