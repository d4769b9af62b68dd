/** [H1] Tests changes that are read from the order of words alone, from what somebody has become, and from where a thing was put. */
import { describe, expect, test } from 'vitest'
import { changeOf } from '../../../src/core/changes/change-of.ts'
import { clausesOf } from '../../../src/core/changes/clauses.ts'

const change = (earlier: string, later: string) => changeOf(clausesOf(earlier), clausesOf(later))

const kinds: Readonly<Record<string, readonly (readonly [earlier: string, later: string])[]>> = {
  'the same words, and then others from now on': [
    ['The orchestra rehearses in the gym.', 'The orchestra rehearses in the chapel now.'],
    ['Der Verein tagt im Rathaus.', 'Der Verein tagt jetzt im Café.'],
    ['We insure the van with Allianz.', 'We insure the van with Axa now.'],
  ],
  'the same words, and that it is over': [
    ['Opa schnarcht.', 'Opa hat mit dem Schnarchen aufgehört.'],
    ['Tante Ria speelt cello.', 'Tante Ria speelt geen cello meer.'],
    ['Rhea speaks no Polish.', 'Rhea speaks Polish well by now.'],
  ],
  'another way to do it': [
    ['The twins take the tram to practice.', 'The twins go to practice by bike now.'],
    ['Ida waters the plants.', 'Olga waters the plants now.'],
  ],
  'what somebody has become': [
    ['Gus is a baker.', 'Gus became a pilot.'],
    ['Rhea is the head of research.', 'Rhea was promoted to director.'],
    ['Ida is a trainee at Nokia.', 'Ida was hired by Philips.'],
    ['My cousin is unemployed.', 'My cousin found a job at the bank.'],
    ['I work from home.', 'I have to work in the office again.'],
    ['Ida works at Nokia.', 'Ida works for Philips now.'],
    ['Olga is the team lead.', 'Petr took over as team lead.'],
  ],
  'where somebody lives, by other words': [
    ['Aunt May lives with us.', 'Aunt May moved into a flat.'],
    ['The Webers live upstairs.', 'The Webers moved away.'],
    ['Gus lives in Cork.', 'Gus has settled in Galway.'],
  ],
  'where a thing was put or found': [
    ['The tripod is in the attic.', 'I moved the tripod into the cellar.'],
    ['My wallet is on the shelf.', 'I found my wallet in the coat.'],
  ],
  'what takes the place of another': [
    ['We deploy with Capistrano.', 'We replaced Capistrano with Kamal.'],
    ['The formatter is Prettier.', 'We swapped Prettier for Biome.'],
    ['The mill belongs to Krone.', 'The mill was bought by Saturn.'],
    ['Le chien s’appelle Rex.', 'On a rebaptisé le chien Max.'],
  ],
  'a state by other words': [
    ['The mail server is down.', 'The mail server is back up.'],
    ['Pipeline 12 fails.', 'Pipeline 12 passes after the fix.'],
    ['The parcel is being processed.', 'The parcel has been delivered.'],
    ['Lola es soltera.', 'Lola se casó con Juan.'],
  ],
}

describe.each(Object.entries(kinds))('[H1] %s', (_, pairs) => {
  test.each(pairs)('%s → %s', (earlier, later) => {
    expect(change(earlier, later)).not.toBeNull()
  })
})

describe('[H1] control: what looks like it but changes nothing', () => {
  test.each([
    ['The orchestra rehearses in the gym.', 'The orchestra rehearses on Fridays.'],
    ['The orchestra rehearses in the gym.', 'The choir rehearses in the chapel now.'],
    ['Opa schnarcht.', 'Opa kocht nicht mehr.'],
    ['Ida waters the plants.', 'Olga feeds the cat now.'],
    ['Nina plays the flute.', 'Olga plays the flute now.'],
    ['Mia plays the flute.', 'Olga plays the flute now.'],
    ['Gus is a baker.', 'Gus is a father now.'],
    ['Ida works at Nokia.', 'Petr works at Philips now.'],
    ['Ida works at Nokia.', 'Ida is working on the report now.'],
    ['Ida works at Nokia.', 'Ida works from home now.'],
    ['I work for Nokia.', 'I work in the office again.'],
    ['Ida works at Nokia.', 'Ida works as a tester now.'],
    ['I work in Berlin.', 'I work in the office now.'],
    ['Opa schnarcht.', 'Opa schnarcht nie laut neben Oma Ria.'],
    ['The orchestra rehearses in the gym.', 'The orchestra rehearses in the gym every day now.'],
    ['Ida drinks coffee.', 'Olga drinks coffee now.'],
    ['We sold 30 tickets on Monday.', 'We sold 45 tickets on Tuesday.'],
    ['The tripod is in the attic.', 'I moved the ladder into the cellar.'],
    ['We deploy with Capistrano.', 'We replaced Jenkins with Drone.'],
    ['Pipeline 12 fails.', 'Pipeline 13 passes.'],
    ['Moro no Porto.', 'Trabalho no Porto.'],
    ['The room has 3 windows.', 'The room has 2 doors.'],
  ])('%s, %s', (one, other) => {
    expect(change(one, other)).toBeNull()
  })
})
