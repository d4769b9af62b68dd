/** French: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/french'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'fr',
  script: 'latin',
  stem: stemmer,
  // Third person plural (mangent), feminine participles and adjectives (mangée, active), plurals in x (jeux, travaux).
  bases: [
    [/(..)ent$/, '$1e'],
    [/(..e)es?$/, '$1'],
    [/(..)ives?$/, '$1if'],
    [/(.[aeo]u)x$/, '$1'],
    [/(..)aux$/, '$1ail'],
    [/(..i)ee?s?$/, '$1er'],
    [/(..nd)(?:u|ue|us|ues|s|ent|ons|ez|ait)?$/, '$1re'],
    [/(.)elles?$/, '$1eau'],
  ],
  questionWords:
    'le la les l un une des du de d au aux et ou où qui que qu quoi quel quelle quels quelles quand comment pourquoi combien lequel laquelle est sont était étaient être été a ont avait avaient avoir eu fut furent sera il elle ils elles on je tu nous vous ce cet cette ces c s se son sa ses leur leurs en dans par pour avec sur à y t j m n',
  commonWords:
    'ne pas plus mais donc si sans sous entre chez vers depuis pendant avant après comme aussi très même tout tous toute toutes autre autres dont lors ainsi cela ça celui celle ceux moi toi lui eux mon ma mes ton ta tes notre nos votre vos fait faire peut peuvent peux doit doivent ai as avez avons suis êtes sommes selon car ni puis encore',
}
