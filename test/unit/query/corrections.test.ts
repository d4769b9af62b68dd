/** [H1] Tests kinds of changes by sentences in other words than those by which their rules were found, each next to what looks like it and is none. */
import { describe, expect, test } from 'vitest'
import { changeOf } from '../../../src/core/changes/change-of.ts'
import { clausesOf } from '../../../src/core/changes/clauses.ts'

const change = (earlier: string, later: string) => changeOf(clausesOf(earlier), clausesOf(later))

const kinds: Readonly<Record<string, readonly (readonly [earlier: string, later: string])[]>> = {
  'what is taken back in so many words': [
    ['The deposit is 300 euros.', 'The deposit is 350 euros, not 300.'],
    ['I answer to Bill.', 'Please call me William, not Bill.'],
    ['I drink my tea with honey.', 'I drink my tea with lemon instead of honey.'],
    ['The party will be in the barn.', 'The party will be in the school instead of the barn.'],
    ['We travel with Ryanair.', 'Instead of Ryanair, we travel with KLM.'],
  ],
  'something that was changed, whatever to': [
    ['The hint for the safe is a green bird.', 'I changed the hint for the safe.'],
    ['Meine Zahnärztin ist Frau Dr. Falk.', 'Ich habe den Zahnarzt gewechselt, ich gehe jetzt zu Dr. Ohm.'],
    ['My gym subscription is the basic plan.', 'I switched my gym subscription to the premium plan.'],
  ],
  'a task that another has': [
    ['Ada owns the payments project.', 'Ada handed the payments project over to Ravi.'],
    ['Luca maintains the parser.', 'Luca transferred the parser to Mei.'],
    ['Paula takes care of the garden.', 'Rob takes care of the garden now.'],
    ['Nils is our goalkeeper.', 'Nils is ill, so Theo is our goalkeeper.'],
  ],
  'another opinion': [
    ['Haskell is ugly.', 'I have to admit I like Haskell now.'],
    ['The new chairs look comfortable.', 'I changed my mind, the new chairs look stiff.'],
    ['I think we should invite Ole.', 'On second thought we should invite Pia.'],
    ['The customer wants the plan in Excel.', 'The customer changed their mind, they want the plan as PDF.'],
  ],
  'hours, ranges and codes': [
    ['The shop is open from 9 to 5.', 'The shop is open from 10 to 6.'],
    ['The test covers pages 1 to 40.', 'The test covers pages 1 to 60.'],
    ['The gate code is 7712.', 'The gate code was changed to 3090.'],
    ['Bills go to ana@mill.example.', 'Please send bills to bob@mill.example from now on.'],
    ['The choir meets every second Monday at 7.', 'We moved the choir to every second Tuesday at 7.'],
  ],
  'values of other actions': [
    ['The script requires Node 18.', 'The script requires Node 22.'],
    ['The service returns CSV.', 'The service returns Parquet from today.'],
    ['The essay must be submitted by 3 May.', 'The deadline of the essay was moved forward to 28 April.'],
    ['Sales has a budget of 90,000 euros.', 'The sales budget was cut to 70,000 euros.'],
    ['We stay at the Hotel Astor in Bergen.', 'The Astor is full, we stay at the Hotel Nord in Bergen.'],
    ['They host the forum on Discourse.', 'They moved the forum to Flarum.'],
  ],
  'names behind a comma, in other genders, or of the dead': [
    ['Mi médico es el doctor León.', 'Mi nueva médica es la doctora Vidal.'],
    ['The phone number of the roofer is 555 0199.', 'The roofer has a new phone number, 555 0121.'],
    ['Il nostro gatto si chiama Leo.', 'Leo è morto, ora abbiamo un cane.'],
    ['I have a parrot, Kiwi.', 'Kiwi passed away on Monday.'],
    ['My masseur is Ugo.', 'Ugo is on leave, so my masseur is Kim now.'],
  ],
  'a denial, or its end': [
    ['We are going to the fair on Sunday.', 'We are not going to the fair on Sunday.'],
    ['I can’t help on Friday.', 'I can help on Friday after all.'],
    ['Now I row.', 'No more rowing.'],
    ['My uncle is in hospital.', 'My uncle is home again.'],
  ],
}

describe.each(Object.entries(kinds))('[H1] %s', (_, pairs) => {
  test.each(pairs)('%s → %s', (earlier, later) => {
    expect(change(earlier, later)).not.toBeNull()
  })
})

test.each([
  ['I prefer front seats in cars.', 'I prefer back seats in buses.'],
  ['I am a vegan.', 'My sister is not a vegan.'],
  ['Server A runs Alpine 3.', 'Server B runs Alpine 4.'],
  ['Build run 3 took 20 seconds.', 'Build run 4 took 25 seconds.'],
  ['My phone is black.', 'My phone is slow.'],
  ['I catch the 7:05 bus to school.', 'I catch the 16:20 bus home.'],
  ['We meet at the harbour on Monday.', 'We meet at the church on Friday.'],
  ['I finished the third volume.', 'I finished the fourth volume.'],
  ['We host the shop on Heroku.', 'We host the docs on Netlify.'],
  ['Take care of yourself.', 'I take vitamins again.'],
  ['I go to a meeting this month.', 'I go to bed at ten now.'],
  ['My mail is mo@home.example.', 'My work mail is m@firm.example.'],
  ['I live in Bern.', 'They moved to Thun.'],
  ['It would be nice in the barn.', 'The party will be in the school.'],
  ['The essay is long.', 'The essay is due on 3 May, not the poem.'],
  ['Ada owns the payments project.', 'Ada handed the keys over to Ravi.'],
  ['The new chairs look comfortable.', 'The new lamps look stiff now.'],
  ['Haskell is ugly.', 'I like Elm now.'],
  ['I have a parrot, Kiwi.', 'Kim passed away on Monday.'],
  ['We adopted a second dog.', 'The second dog is brown.'],
])('[H1] control: %s says nothing of: %s', (one, other) => {
  expect(change(one, other)).toBeNull()
  expect(change(other, one)).toBeNull()
})
